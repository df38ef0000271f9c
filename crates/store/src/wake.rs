//! Wake-ups: how a worker learns that there may be something to do.
//!
//! A wake-up carries nothing and may be spurious: whoever wakes looks at the tables. Several may be
//! delivered as one. They are sent after the commit, so a woken worker always sees the row that woke it.

use tokio::sync::{broadcast, watch};

/// What there may be news about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    Jobs,
    Deliveries,
}

impl Topic {
    pub(crate) const ALL: [Topic; 2] = [Topic::Jobs, Topic::Deliveries];

    /// The name of the notification channel on PostgreSQL.
    pub(crate) fn channel(self) -> &'static str {
        match self {
            Topic::Jobs => "tickmark_jobs",
            Topic::Deliveries => "tickmark_deliveries",
        }
    }
}

impl From<Topic> for Topics {
    fn from(topic: Topic) -> Topics {
        let mut topics = Topics::default();
        topics.add(topic);
        topics
    }
}

/// A small set of topics, as a transaction collects it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Topics {
    jobs: bool,
    deliveries: bool,
}

impl Topics {
    pub(crate) fn add(&mut self, topic: Topic) {
        match topic {
            Topic::Jobs => self.jobs = true,
            Topic::Deliveries => self.deliveries = true,
        }
    }

    pub(crate) fn add_all(&mut self, other: Topics) {
        self.jobs |= other.jobs;
        self.deliveries |= other.deliveries;
    }

    pub(crate) const ALL: Topics = Topics { jobs: true, deliveries: true };

    pub(crate) fn contains(self, topic: Topic) -> bool {
        match topic {
            Topic::Jobs => self.jobs,
            Topic::Deliveries => self.deliveries,
        }
    }
}

/// The notification channel of words on PostgreSQL.
pub(crate) const WORDS: &str = "tickmark_words";
/// Words that a slow hearer may be behind before it misses some.
const WORDS_KEPT: usize = 256;

/// The sending side, one for each open store.
#[derive(Debug)]
pub(crate) struct Bell {
    jobs: watch::Sender<u64>,
    deliveries: watch::Sender<u64>,
    words: broadcast::Sender<String>,
}

impl Default for Bell {
    fn default() -> Bell {
        let words = broadcast::Sender::new(WORDS_KEPT);
        Bell { jobs: watch::Sender::default(), deliveries: watch::Sender::default(), words }
    }
}

impl Bell {
    pub(crate) fn ring(&self, topics: Topics) {
        for topic in Topic::ALL.into_iter().filter(|topic| topics.contains(*topic)) {
            self.sender(topic).send_modify(|count| *count = count.wrapping_add(1));
        }
    }

    pub(crate) fn subscribe(&self, topic: Topic) -> Wakeups {
        Wakeups { receiver: self.sender(topic).subscribe() }
    }

    /// Passes on a word; without hearers it is lost, as it should be.
    pub(crate) fn say(&self, word: &str) {
        let _ = self.words.send(word.to_owned());
    }

    pub(crate) fn words(&self) -> Words {
        Words { receiver: self.words.subscribe() }
    }

    fn sender(&self, topic: Topic) -> &watch::Sender<u64> {
        match topic {
            Topic::Jobs => &self.jobs,
            Topic::Deliveries => &self.deliveries,
        }
    }
}

/// The receiving side of one topic.
#[derive(Debug, Clone)]
pub struct Wakeups {
    receiver: watch::Receiver<u64>,
}

impl Wakeups {
    /// Waits for news since the last call. After the store is closed it waits for ever.
    pub async fn next(&mut self) {
        if self.receiver.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Words of other processes and of this one. Some may be missed, so nothing may depend on hearing them all.
#[derive(Debug)]
pub struct Words {
    receiver: broadcast::Receiver<String>,
}

impl Words {
    /// The next word. After the store is closed it waits for ever.
    pub async fn next(&mut self) -> String {
        loop {
            match self.receiver.recv().await {
                Ok(word) => return word,
                Err(broadcast::error::RecvError::Lagged(_)) => {}
                Err(broadcast::error::RecvError::Closed) => std::future::pending::<()>().await,
            }
        }
    }
}
