//! The two networks, ready to run, and how long they have run.
//!
//! What a network's file says is translated into a few kinds of tasks that are done here (`translate`, `plan`), several times
//! as fast as one operator after the other: each pixel's channels lie side by side, and what follows a layer happens
//! while its numbers are at hand. What is not known here is left to `rten`: the layers of the network that reads before
//! its last one, which cost little, and all of networks that are built in another way.

mod curves;
mod dense;
mod depth;
mod ending;
mod maps;
mod onnx;
mod plan;
mod point;
mod pools;
mod product;
mod rest;
mod translate;
mod whole;
mod window;
mod windows;

pub(super) use ending::{KINDS, Likely, Step};
pub(super) use maps::{Maps, Spare};

use ending::Ending;
use onnx::Graph;
use plan::Plan;
use rten::{LoadError, Model, RunError, RunOptions, ThreadPool, Value};
use rten_tensor::NdTensor;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A network with the threads that run it.
pub(super) struct Network {
    /// What is known here of it: its first layers, or all.
    plan: Option<Plan>,
    /// The rest.
    model: Option<Model>,
    /// What comes after that, where its classes are of several kinds.
    ending: Option<Ending>,
    threads: Arc<ThreadPool>,
    /// Memory that networks use by turns.
    spare: Arc<Mutex<Spare>>,
    nanoseconds: AtomicU64,
}

/// What a network says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Output {
    /// All its numbers; none when it does not say numbers.
    Numbers(Vec<f32>),
    /// For each step of a line the likeliest class of each kind.
    Likeliest(Vec<Step>),
}

impl Output {
    /// All its numbers, where it says them.
    pub(super) fn numbers(self) -> Vec<f32> {
        match self {
            Output::Numbers(numbers) => numbers,
            Output::Likeliest(_) => Vec::new(),
        }
    }
}

/// A network's file in parts.
struct Parts {
    plan: Plan,
    /// The file of what is between.
    rest: Option<Vec<u8>>,
    ending: Option<Ending>,
}

impl Parts {
    fn of(file: &[u8], kinds: Option<&[usize]>) -> Option<Parts> {
        let graph = Graph::of(file)?;
        let translated = translate::translated(&graph)?;
        if translated.nodes == graph.nodes.len() {
            return Some(Parts { plan: translated.plan, rest: None, ending: None });
        }
        let ending = kinds.and_then(|kinds| Ending::of(&graph, kinds));
        let (end, output) = match &ending {
            Some((_, input)) => (graph.nodes.len() - ending::NODES, *input),
            None => (graph.nodes.len(), graph.output),
        };
        let rest = rest::between(file, &(translated.nodes..end), translated.output, output)?;
        let ending = ending.map(|(ending, _)| ending);
        Some(Parts { plan: translated.plan, rest: Some(rest), ending })
    }
}

impl Network {
    /// A network from the bytes of its file. Where it tells classes apart and of each `kinds` says of which kind it is,
    /// the likeliest ones are wanted.
    pub(super) fn load(
        file: &[u8],
        kinds: Option<&[usize]>,
        threads: &Arc<ThreadPool>,
        spare: &Arc<Mutex<Spare>>,
    ) -> Result<Network, LoadError> {
        let (plan, model, ending) = match Parts::of(file, kinds) {
            Some(Parts { plan, rest, ending }) => (Some(plan), rest.map(Model::load).transpose()?, ending),
            None => (None, Some(Model::load(file.to_vec())?), None),
        };
        Ok(Network {
            plan,
            model,
            ending,
            threads: Arc::clone(threads),
            spare: Arc::clone(spare),
            nanoseconds: AtomicU64::new(0),
        })
    }

    /// The network's only output for its only input.
    pub(super) fn run(&self, input: Maps) -> Result<Output, RunError> {
        let start = Instant::now();
        let output = self.output(input);
        let taken = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(taken, Ordering::Relaxed);
        output
    }

    fn output(&self, input: Maps) -> Result<Output, RunError> {
        let numbers = self.numbers(input)?;
        Ok(match &self.ending {
            Some(ending) => Output::Likeliest(self.threads.run(|| ending.steps(&numbers))),
            None => Output::Numbers(numbers),
        })
    }

    /// What comes before the ending.
    fn numbers(&self, input: Maps) -> Result<Vec<f32>, RunError> {
        let handed = match &self.plan {
            Some(plan) => {
                let mut spare =
                    std::mem::take(&mut *self.spare.lock().unwrap_or_else(PoisonError::into_inner));
                let handed = self.threads.run(|| plan.run(input, &mut spare));
                *self.spare.lock().unwrap_or_else(PoisonError::into_inner) = spare;
                handed
            }
            None => Some(input),
        };
        let Some(handed) = handed else { return Ok(Vec::new()) };
        let Some(model) = &self.model else { return Ok(handed.values.into_vec()) };
        let size = [handed.count, handed.channels, handed.height, handed.width];
        let mut options = RunOptions::default();
        options.thread_pool = Some(Arc::clone(&self.threads));
        let input = NdTensor::<f32, 4>::from_data(size, handed.by_channel());
        Ok(match model.run_one(input.into(), Some(options))? {
            Value::FloatTensor(values) => values.into_data(),
            _ => Vec::new(),
        })
    }

    /// How long it has run since it was loaded.
    pub(super) fn time(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed))
    }
}

/// A pixel as the networks see it: they were trained on pictures whose first channel is blue.
pub(super) fn levels([red, green, blue]: [u8; 3]) -> [f32; 3] {
    [blue, green, red].map(|level| f32::from(level) / 127.5 - 1.0)
}

#[cfg(test)]
mod tests {
    use super::super::weights::embedded;
    use super::*;

    /// A picture of strokes, as the networks see it, and by channel.
    fn strokes(height: usize, width: usize) -> (Maps, NdTensor<f32, 4>) {
        let mut maps = Maps::new(1, height, width, 3);
        for (index, pixel) in maps.values.chunks_exact_mut(3).enumerate() {
            let (x, y) = (index % width, index / width);
            let is_ink = y % 24 > 8 && (x * x + 3 * y) % 37 < 9 && x > 10;
            pixel.copy_from_slice(&levels(if is_ink { [40, 50, 90] } else { [250, 248, 240] }));
        }
        let tensor = NdTensor::from_data([1, 3, height, width], maps.by_channel());
        (maps, tensor)
    }

    fn both(index: usize, (height, width): (usize, usize)) -> (Vec<f32>, Vec<f32>) {
        let (_, file) = embedded()[index];
        let (maps, tensor) = strokes(height, width);
        let threads = Arc::new(ThreadPool::with_num_threads(1));
        let own = Network::load(file, None, &threads, &Arc::default()).unwrap();
        assert!(own.plan.is_some());
        let Value::FloatTensor(theirs) =
            Model::load(file.to_vec()).unwrap().run_one(tensor.into(), None).unwrap()
        else {
            panic!("no numbers");
        };
        // What an earlier run leaves behind changes nothing.
        let first = own.run(maps.clone()).unwrap().numbers();
        assert_eq!(first, own.run(maps).unwrap().numbers());
        (first, theirs.into_data())
    }

    #[test]
    fn lines_are_found_as_by_the_operators_one_by_one() {
        let (own, theirs) = both(0, (96, 160));
        assert_eq!(own.len(), theirs.len());
        assert!(theirs.iter().any(|likelihood| *likelihood > 0.3));
        let off = own.iter().zip(&theirs).map(|(own, other)| (own - other).abs()).fold(0.0, f32::max);
        assert!(off < 1e-3, "{off}");
    }

    #[test]
    fn letters_are_told_apart_as_by_the_operators_one_by_one() {
        let (own, theirs) = both(1, (48, 200));
        assert_eq!(own.len(), theirs.len());
        // Each pixel is rounded by itself here, and all by one scale there.
        let off: f32 = own.iter().zip(&theirs).map(|(own, other)| (own - other).abs()).sum();
        assert!(off / 25.0 < 0.2, "{off}");
    }

    #[test]
    fn the_likeliest_classes_are_those_of_all() {
        let (whole, _) = both(1, (48, 200));
        let (_, file) = embedded()[1];
        let classes = whole.len() / 25;
        let kinds: Vec<usize> = (0..classes).map(|class| class % KINDS).collect();
        let threads = Arc::new(ThreadPool::with_num_threads(2));
        let network = Network::load(file, Some(&kinds), &threads, &Arc::default()).unwrap();
        let Output::Likeliest(steps) = network.run(strokes(48, 200).0).unwrap() else {
            panic!("all classes")
        };
        assert_eq!(steps.len(), 25);
        for (row, step) in whole.chunks_exact(classes).zip(steps) {
            for (kind, likely) in step.into_iter().enumerate() {
                let own = row.iter().skip(kind).step_by(KINDS).copied();
                let Likely { class, likelihood } = likely;
                // Sums of products differ by their order, and those of a likely class are large.
                assert!((likelihood - row[class]).abs() < 1e-4, "{likelihood} for {}", row[class]);
                let highest = own.fold(0.0, f32::max);
                assert!((likelihood - highest).abs() < 1e-4, "{likelihood} for {highest}");
            }
        }
        let fewer = Network::load(file, Some(&kinds[1..]), &threads, &Arc::default()).unwrap();
        assert!(fewer.ending.is_none(), "a class that is of no kind");
    }

    #[test]
    fn a_file_that_is_no_network_is_refused() {
        let threads = Arc::new(ThreadPool::with_num_threads(1));
        let (_, file) = embedded()[0];
        for broken in [&[] as &[u8], b"no network", &file[..file.len() / 2]] {
            assert!(Network::load(broken, None, &threads, &Arc::default()).is_err());
        }
    }
}
