//! A network as a list of tasks, one after the other.

use super::curves::Curve;
use super::dense;
use super::depth::Depth;
use super::maps::{Maps, Spare};
use super::point::{Gemm, Point};
use super::pools;
use super::window::Window;
use super::windows::Windows;

/// What is done with one or more values.
pub(super) enum Step {
    /// Layers that see each pixel by itself; a second value is added to what comes out.
    Points(Vec<Point>),
    Windows(Windows),
    Spread(Point, (usize, usize)),
    Depth(Depth),
    Curve(Curve),
    Mean,
    Add,
    Multiply,
    Largest(Window),
    Average(Window),
    Joined,
    Enlarged((usize, usize)),
}

/// A step with the numbers of the values that go in and of the one that comes out.
pub(super) struct Task {
    pub(super) step: Step,
    pub(super) inputs: Vec<usize>,
    pub(super) output: usize,
    /// The operators that it does the work of.
    pub(super) nodes: (usize, usize),
}

/// Tasks from the value 0, which the network is given, to the last one's output.
pub(super) struct Plan {
    pub(super) tasks: Vec<Task>,
    /// One more than the highest number of a value.
    pub(super) values: usize,
}

impl Plan {
    /// What the network says; `None` where sizes do not fit together.
    pub(super) fn run(&self, input: Maps, spare: &mut Spare) -> Option<Maps> {
        let gemm = Gemm::default();
        let mut values: Vec<Option<Maps>> = (0..self.values).map(|_| None).collect();
        *values.first_mut()? = Some(input);
        let mut uses = vec![0; self.values];
        self.tasks.iter().flat_map(|task| &task.inputs).for_each(|input| uses[*input] += 1);
        for task in &self.tasks {
            let made = match done_in_place(task, &mut values, &uses) {
                Some(made) => made,
                None => {
                    let inputs = task.inputs.iter().map(|input| values[*input].as_ref());
                    done(&gemm, &task.step, &inputs.collect::<Option<Vec<&Maps>>>()?, spare)?
                }
            };
            for input in &task.inputs {
                uses[*input] -= 1;
                if uses[*input] == 0
                    && let Some(maps) = values[*input].take()
                {
                    spare.give(maps);
                }
            }
            values[task.output] = Some(made);
        }
        values.swap_remove(self.tasks.last()?.output)
    }
}

/// Puts two values together in the memory of one that nobody else needs: other memory would have to be fetched.
fn done_in_place(task: &Task, values: &mut [Option<Maps>], uses: &[usize]) -> Option<Maps> {
    let &[one, other] = task.inputs.as_slice() else { return None };
    let (own, other) = if uses[one] == 1 { (one, other) } else { (other, one) };
    let is_own = uses[own] == 1 && values[own].as_ref()?.is_like(values[other].as_ref()?);
    if !is_own || !matches!(task.step, Step::Add | Step::Multiply) {
        return None;
    }
    let (made, other) = (values[own].take()?, values[other].as_ref()?);
    match task.step {
        Step::Add => pools::onto(made, other, |left, right| left + right),
        _ => pools::onto(made, other, |left, right| left * right),
    }
}

fn done(gemm: &Gemm, step: &Step, inputs: &[&Maps], spare: &mut Spare) -> Option<Maps> {
    match (step, inputs) {
        (Step::Points(layers), [maps]) if layers.first()?.inputs == maps.channels => {
            dense::points(gemm, layers, maps, None, spare)
        }
        (Step::Points(layers), [maps, beside]) if layers.first()?.inputs == maps.channels => {
            dense::points(gemm, layers, maps, Some(beside), spare)
        }
        (Step::Windows(layer), parts) => layer.run(parts, spare),
        (Step::Spread(layer, size), [maps]) if layer.inputs == maps.channels => {
            dense::spread(gemm, layer, *size, maps, spare)
        }
        (Step::Depth(layer), [maps]) if layer.bias.len() == maps.channels => Some(layer.run(maps, spare)),
        (Step::Curve(curve), [maps]) => {
            let mut out = spare.copy(maps);
            curve.apply(&mut out.values);
            Some(out)
        }
        (Step::Mean, [maps]) => Some(pools::mean(maps)),
        (Step::Add, [one, other]) => pools::together(one, other, |left, right| left + right, spare),
        (Step::Multiply, [one, other]) => pools::together(one, other, |left, right| left * right, spare),
        (Step::Largest(window), [maps]) => Some(pools::largest(maps, window, spare)),
        (Step::Average(window), [maps]) => Some(pools::average(maps, window, spare)),
        (Step::Joined, all) => pools::joined(all, spare),
        (Step::Enlarged(times), [maps]) => Some(pools::enlarged(maps, *times, spare)),
        _ => None,
    }
}
