//! From a network as it is written down to the tasks that do its work: operators that belong together become one task.

use super::curves::Curve;
use super::depth::Depth;
use super::onnx::{Graph, Node};
use super::plan::{Plan, Step, Task};
use super::point::{Gemm, Point, Weights};
use super::product::Table;
use super::window::Window;
use super::windows::Windows;
use crate::transposed::transposed;
use std::collections::{HashMap, HashSet};

/// What a whole number that stands for zero is among weights.
const WEIGHT_ZERO: u8 = 64;

/// As many of a network's first operators as are known here, up to where a single value is handed on.
pub(super) struct Translated<'m> {
    pub(super) plan: Plan,
    /// How many operators it does the work of, and the name of the value that the others go on with.
    pub(super) nodes: usize,
    pub(super) output: &'m str,
}

/// `None` when not even the first operators are known.
pub(super) fn translated<'m>(graph: &Graph<'m>) -> Option<Translated<'m>> {
    let mut builder = Builder::of(graph);
    let known = builder.build();
    let (nodes, output) = (1..=known).rev().find_map(|nodes| Some((nodes, handed_on(graph, nodes)?)))?;
    builder.tasks.retain(|task| task.nodes.0 < nodes);
    let last = builder.tasks.last()?;
    let is_whole = builder.tasks.iter().all(|task| task.nodes.1 <= nodes);
    if !is_whole || builder.values.get(builder.name(output)) != Some(&last.output) {
        return None;
    }
    builder.chain();
    builder.gather();
    let Builder { tasks, count, .. } = builder;
    Some(Translated { plan: Plan { tasks, values: count }, nodes, output })
}

/// The only value that the first operators hand on to the others.
fn handed_on<'m>(graph: &Graph<'m>, nodes: usize) -> Option<&'m str> {
    let (first, later) = graph.nodes.split_at_checked(nodes)?;
    let made: HashSet<&str> =
        first.iter().flat_map(|node| &node.outputs).copied().chain([graph.input]).collect();
    let wanted = later.iter().flat_map(|node| &node.inputs).copied().chain([graph.output]);
    let mut handed = wanted.filter(|name| made.contains(name));
    let value = handed.next()?;
    handed.all(|other| other == value).then_some(value)
}

struct Builder<'g, 'm> {
    graph: &'g Graph<'m>,
    gemm: Gemm,
    tasks: Vec<Task>,
    /// The numbers of values by their names.
    values: HashMap<&'m str, usize>,
    count: usize,
    /// Other names of values.
    same: HashMap<&'m str, &'m str>,
    /// How many operators take a value.
    uses: HashMap<&'m str, usize>,
    /// Of which value a value is the same in whole numbers.
    rounded: HashMap<&'m str, &'m str>,
}

impl<'g, 'm> Builder<'g, 'm> {
    fn of(graph: &'g Graph<'m>) -> Builder<'g, 'm> {
        let mut same: HashMap<&str, &str> = HashMap::new();
        let mut uses = HashMap::new();
        for node in &graph.nodes {
            if node.operator == "Identity" {
                let of = node.inputs.first().copied().unwrap_or_default();
                same.insert(node.output(), same.get(of).copied().unwrap_or(of));
                continue;
            }
            for input in &node.inputs {
                *uses.entry(same.get(input).copied().unwrap_or(input)).or_insert(0) += 1;
            }
        }
        *uses.entry(same.get(graph.output).copied().unwrap_or(graph.output)).or_insert(0) += 1;
        let values = HashMap::from([(graph.input, 0)]);
        let (gemm, rounded) = (Gemm::default(), HashMap::new());
        Builder { graph, gemm, tasks: Vec::new(), values, count: 1, same, uses, rounded }
    }

    /// How many operators could be translated.
    fn build(&mut self) -> usize {
        let mut at = 0;
        while at < self.graph.nodes.len() {
            match self.translate(at) {
                Some(taken) => at += taken,
                None => break,
            }
        }
        at
    }

    fn name(&self, name: &'m str) -> &'m str {
        self.same.get(name).copied().unwrap_or(name)
    }

    fn value(&self, name: &'m str) -> Option<usize> {
        self.values.get(self.name(name)).copied()
    }

    /// The numbers in a table of weights.
    fn floats(&self, name: &'m str) -> Option<Vec<f32>> {
        self.graph.tables.get(self.name(name))?.floats()
    }

    /// Adds a task for so many operators from one on.
    fn push(
        &mut self,
        step: Step,
        inputs: Vec<usize>,
        output: &'m str,
        nodes: (usize, usize),
    ) -> Option<usize> {
        self.values.insert(output, self.count);
        self.tasks.push(Task { step, inputs, output: self.count, nodes });
        self.count += 1;
        Some(nodes.1 - nodes.0)
    }

    /// Translates the operator at a place, and those after it that belong to it; says how many they are.
    fn translate(&mut self, at: usize) -> Option<usize> {
        let graph = self.graph;
        let node = &graph.nodes[at];
        let input = node.inputs.first().copied()?;
        let one = (at, at + 1);
        let plain = |builder: &mut Self, step: Step| {
            let inputs = node.inputs.iter().map(|input| builder.value(input)).collect::<Option<_>>()?;
            builder.push(step, inputs, node.output(), one)
        };
        match node.operator {
            "Identity" => Some(1),
            "Conv" => {
                let step = self.convolution(node)?;
                let from = self.value(input)?;
                self.push(step, vec![from], node.output(), one)
            }
            "ConvTranspose" => {
                let step = self.spread(node)?;
                let from = self.value(input)?;
                self.push(step, vec![from], node.output(), one)
            }
            "DynamicQuantizeLinear" => {
                self.rounded.insert(node.output(), input);
                Some(1)
            }
            "ConvInteger" => self.whole(at),
            "Div" => self.gelu(at),
            "Relu" => self.curve(at, Curve::Relu),
            "Sigmoid" => self.curve(at, Curve::Sigmoid),
            "HardSigmoid" => {
                let (slope, height) = (node.float("alpha").unwrap_or(0.2), node.float("beta").unwrap_or(0.5));
                self.curve(at, Curve::HardSigmoid(slope, height))
            }
            "Add" => self.add(at),
            "Mul" if node.inputs.len() == 2 => plain(self, Step::Multiply),
            "GlobalAveragePool" => plain(self, Step::Mean),
            "ReduceMean"
                if node.integers("axes")? == [2, 3] && node.integer("keepdims").unwrap_or(1) == 1 =>
            {
                plain(self, Step::Mean)
            }
            "MaxPool" if node.outputs.len() == 1 => plain(self, Step::Largest(Window::of(node)?)),
            "AveragePool" => {
                let window = Window::of(node)?;
                window.is_within().then(|| plain(self, Step::Average(window)))?
            }
            "Concat" if node.integer("axis") == Some(1) => plain(self, Step::Joined),
            "Resize" => {
                let times = self.enlargement(node)?;
                let from = self.value(input)?;
                self.push(Step::Enlarged(times), vec![from], node.output(), one)
            }
            _ => None,
        }
    }

    fn convolution(&self, node: &Node<'m>) -> Option<Step> {
        let [_, table] = node.inputs.as_slice() else { return None };
        let window = Window::of(node)?;
        let groups = usize::try_from(node.integer("group").unwrap_or(1)).ok()?;
        let weights = self.floats(table)?;
        let &[outputs, inputs, high, wide] = self.graph.tables.get(self.name(table))?.dims.as_slice() else {
            return None;
        };
        if (high, wide) != window.size {
            return None;
        }
        let (area, bias, curve) = (high * wide, vec![0.0; outputs], Curve::Straight);
        if groups == outputs && inputs == 1 && groups > 1 {
            return Some(Step::Depth(Depth {
                window,
                weights: transposed(&weights, outputs, area),
                bias,
                curve,
            }));
        }
        if groups != 1 {
            return None;
        }
        // From output, input, place to place, input, output.
        let by_place = match area {
            1 => weights,
            _ => {
                weights.chunks_exact(inputs * area).flat_map(|each| transposed(each, inputs, area)).collect()
            }
        };
        let weights = transposed(&by_place, outputs, inputs * area);
        if window.is_point() {
            let weights = Weights::Floats(Table::of(&weights, outputs));
            return Some(Step::Points(vec![Point { inputs, outputs, weights, bias, curve }]));
        }
        let weights = Table::of(&weights, outputs);
        Some(Step::Windows(Windows { window, times: vec![(1, 1)], channels: inputs, weights, bias, curve }))
    }

    fn spread(&self, node: &Node<'m>) -> Option<Step> {
        let [_, table] = node.inputs.as_slice() else { return None };
        let window = Window::of(node)?;
        let weights = self.floats(table)?;
        let &[inputs, outputs, high, wide] = self.graph.tables.get(self.name(table))?.dims.as_slice() else {
            return None;
        };
        let is_plain = window.is_within() && window.size == window.step && window.size == (high, wide);
        if !is_plain || node.integer("group").unwrap_or(1) != 1 || node.integers("output_padding").is_some() {
            return None;
        }
        let area = high * wide;
        let weights: Vec<f32> =
            weights.chunks_exact(outputs * area).flat_map(|each| transposed(each, outputs, area)).collect();
        let outputs = outputs * area;
        let weights = Weights::Floats(Table::of(&weights, outputs));
        let layer = Point { inputs, outputs, weights, bias: vec![0.0; outputs], curve: Curve::Straight };
        Some(Step::Spread(layer, (high, wide)))
    }

    /// A convolution of one pixel with whole numbers, and the three operators that make numbers of its sums.
    fn whole(&mut self, at: usize) -> Option<usize> {
        let [node, cast, by_input, by_weight] = self.graph.nodes.get(at..at + 4)? else { return None };
        let &[rounded, table, _, zero] = node.inputs.as_slice() else { return None };
        let window = Window::of(node)?;
        let follows = |before: &Node, node: &Node| node.inputs.first() == Some(&before.output());
        let is_known = cast.operator == "Cast"
            && [by_input, by_weight].iter().all(|node| node.operator == "Mul")
            && follows(node, cast)
            && follows(cast, by_input)
            && follows(by_input, by_weight)
            && self.graph.tables.get(zero)?.bytes()? == [WEIGHT_ZERO];
        if !is_known || !window.is_point() || node.integer("group").unwrap_or(1) != 1 {
            return None;
        }
        let from = self.value(self.rounded.get(rounded)?)?;
        let steps = self.floats(by_weight.inputs.get(1)?)?;
        let table = self.graph.tables.get(table)?;
        let &[outputs, inputs, 1, 1] = table.dims.as_slice() else { return None };
        let weights: Vec<i8> =
            table.bytes()?.iter().map(|weight| weight.wrapping_sub(WEIGHT_ZERO).cast_signed()).collect();
        if steps.len() != outputs {
            return None;
        }
        let weights = self.gemm.bytes(&transposed(&weights, outputs, inputs), inputs, outputs, steps);
        let layer = Point { inputs, outputs, weights, bias: vec![0.0; outputs], curve: Curve::Straight };
        self.push(Step::Points(vec![layer]), vec![from], by_weight.output(), (at, at + 4))
    }

    /// x / √2, its error function, plus one, times x, halved.
    fn gelu(&mut self, at: usize) -> Option<usize> {
        let [div, erf, add, mul, half] = self.graph.nodes.get(at..at + 5)? else { return None };
        let is_constant = |builder: &Self, node: &Node<'m>, expected: f32| {
            let value = node.inputs.get(1).and_then(|name| builder.floats(name));
            value.is_some_and(|value| value.len() == 1 && (value[0] - expected).abs() < 1e-4)
        };
        let &[input, _] = div.inputs.as_slice() else { return None };
        let is_known = [erf, add, mul, half].map(|node| node.operator) == ["Erf", "Add", "Mul", "Mul"]
            && is_constant(self, div, std::f32::consts::SQRT_2)
            && erf.inputs == [div.output()]
            && add.inputs.first() == Some(&erf.output())
            && is_constant(self, add, 1.0)
            && mul.inputs.contains(&add.output())
            && mul.inputs.iter().any(|name| self.name(name) == self.name(input))
            && half.inputs.first() == Some(&mul.output())
            && is_constant(self, half, 0.5);
        if !is_known {
            return None;
        }
        // It is taken twice here.
        let is_only = self.uses.get(self.name(input)) == Some(&2);
        self.curved(input, half.output(), Curve::Gelu, is_only, (at, at + 5))
    }

    fn curve(&mut self, at: usize, curve: Curve) -> Option<usize> {
        let node = &self.graph.nodes[at];
        let &[input] = node.inputs.as_slice() else { return None };
        let is_only = self.uses.get(self.name(input)) == Some(&1);
        self.curved(input, node.output(), curve, is_only, (at, at + 1))
    }

    /// A curve belongs to the layer before it when nobody else takes what that gives.
    fn curved(
        &mut self,
        input: &'m str,
        output: &'m str,
        curve: Curve,
        is_only: bool,
        nodes: (usize, usize),
    ) -> Option<usize> {
        let from = self.value(input)?;
        let task =
            self.tasks.iter_mut().find(|task| task.output == from && is_only && task.inputs.len() == 1);
        if let Some(task) = task
            && let Some((_, before @ Curve::Straight)) = layer(&mut task.step)
        {
            *before = curve;
            task.nodes.1 = nodes.1;
            self.values.insert(output, from);
            return Some(nodes.1 - nodes.0);
        }
        self.push(Step::Curve(curve), vec![from], output, nodes)
    }

    fn add(&mut self, at: usize) -> Option<usize> {
        let node = &self.graph.nodes[at];
        let &[one, other] = node.inputs.as_slice() else { return None };
        let is_only = |builder: &Self, name: &'m str| builder.uses.get(builder.name(name)) == Some(&1);
        let Some(to) = self.value(other) else {
            // The same for every pixel: what a layer adds.
            let (from, added) = (self.value(one)?, self.floats(other)?);
            let is_free = is_only(self, one);
            let task = self
                .tasks
                .iter_mut()
                .find(|task| task.output == from && is_free && task.inputs.len() == 1)?;
            let (bias, Curve::Straight) = layer(&mut task.step)? else { return None };
            if added.is_empty() || !bias.len().is_multiple_of(added.len()) {
                return None;
            }
            bias.iter_mut().zip(added.iter().cycle()).for_each(|(bias, added)| *bias += added);
            task.nodes.1 = at + 1;
            self.values.insert(node.output(), from);
            return Some(1);
        };
        let from = self.value(one)?;
        // The last layers of a way that leads past them take up what stands beside them.
        let beside = if is_only(self, other) { Some((to, from)) } else { None };
        let last = self.tasks.len().checked_sub(1)?;
        if let (Some((made, beside)), Some(task)) = (beside, self.tasks.last_mut())
            && task.output == made
            && task.inputs.len() == 1
            && let Step::Points(layers) = &task.step
            && layers.last().is_some_and(|layer| layer.curve == Curve::Straight)
            && last > 0
        {
            task.inputs.push(beside);
            task.nodes.1 = at + 1;
            self.values.insert(node.output(), made);
            return Some(1);
        }
        self.push(Step::Add, vec![from, to], node.output(), (at, at + 1))
    }

    fn enlargement(&self, node: &Node<'m>) -> Option<(usize, usize)> {
        let is_plain = node.text("mode") == Some("nearest")
            && node.text("coordinate_transformation_mode") == Some("asymmetric")
            && node.text("nearest_mode") == Some("floor")
            && node.inputs.len() == 3;
        let scales = self.floats(node.inputs.get(2)?)?;
        let &[1.0, 1.0, high, wide] = scales.as_slice() else { return None };
        let is_whole = |scale: f32| scale.fract() == 0.0 && (1.0..=64.0).contains(&scale);
        (is_plain && is_whole(high) && is_whole(wide)).then_some((high as usize, wide as usize))
    }

    /// Layers that see each pixel by itself run one after the other when nobody else takes what the first gives.
    fn chain(&mut self) {
        let mut tasks: Vec<Task> = Vec::with_capacity(self.tasks.len());
        let mut uses = vec![0; self.count];
        self.tasks.iter().flat_map(|task| &task.inputs).for_each(|input| uses[*input] += 1);
        for mut task in self.tasks.drain(..) {
            if let Step::Points(layers) = &mut task.step
                && let Some(before) = tasks.last_mut()
                && before.inputs.len() == 1
                && before.output == task.inputs[0]
                && uses[before.output] == 1
                && let Step::Points(firsts) = &mut before.step
            {
                firsts.append(layers);
                task.inputs[0] = before.inputs[0];
                (before.inputs, before.output, before.nodes.1) = (task.inputs, task.output, task.nodes.1);
                continue;
            }
            tasks.push(task);
        }
        self.tasks = tasks;
    }

    /// Layers with windows look at maps side by side, and larger than they are, without these being put together first.
    fn gather(&mut self) {
        let mut uses = vec![0; self.count];
        self.tasks.iter().flat_map(|task| &task.inputs).for_each(|input| uses[*input] += 1);
        let mut needless = HashSet::new();
        for index in 0..self.tasks.len() {
            let only = |value: usize| self.tasks.iter().find(|task| task.output == value && uses[value] == 1);
            let task = &self.tasks[index];
            let (Step::Windows(_), &[input]) = (&task.step, task.inputs.as_slice()) else { continue };
            let Some(Task { step: Step::Joined, inputs, .. }) = only(input) else { continue };
            needless.insert(input);
            let mut parts = Vec::new();
            for part in inputs {
                match only(*part) {
                    Some(Task { step: Step::Enlarged(times), inputs, .. }) => {
                        needless.insert(*part);
                        parts.push((inputs[0], *times));
                    }
                    _ => parts.push((*part, (1, 1))),
                }
            }
            let task = &mut self.tasks[index];
            task.inputs = parts.iter().map(|(value, _)| *value).collect();
            if let Step::Windows(layer) = &mut task.step {
                layer.times = parts.into_iter().map(|(_, times)| times).collect();
            }
        }
        self.tasks.retain(|task| !needless.contains(&task.output));
    }
}

/// What a step's last layer adds and its curve.
fn layer(step: &mut Step) -> Option<(&mut Vec<f32>, &mut Curve)> {
    match step {
        Step::Points(layers) => layers.last_mut().map(|layer| (&mut layer.bias, &mut layer.curve)),
        Step::Windows(layer) => Some((&mut layer.bias, &mut layer.curve)),
        Step::Spread(layer, _) => Some((&mut layer.bias, &mut layer.curve)),
        Step::Depth(layer) => Some((&mut layer.bias, &mut layer.curve)),
        _ => None,
    }
}
