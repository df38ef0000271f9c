//! Wake-ups from other processes.
//!
//! One connection for each process listens. When it is lost it is made again, and then every subscriber is
//! woken once, because something may have been missed.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use tokio_postgres::AsyncMessage;

use super::connect::{Address, Commit};
use crate::error::Error;
use crate::wake::{Bell, Topic, Topics, WORDS};

const PAUSE_MIN: Duration = Duration::from_millis(50);
const PAUSE_MAX: Duration = Duration::from_secs(2);

/// Listens until the task is aborted.
pub(super) async fn listen(address: Address, bell: Arc<Bell>) {
    let mut pause = PAUSE_MIN;
    loop {
        match listen_once(&address, &bell).await {
            Ok(()) => pause = PAUSE_MIN,
            Err(error) => {
                tracing::warn!(%error, "wake-ups from the database are interrupted");
                pause = (pause * 2).min(PAUSE_MAX);
            }
        }
        tokio::time::sleep(pause).await;
    }
}

/// Listens on one connection until it is lost.
async fn listen_once(address: &Address, bell: &Bell) -> Result<(), Error> {
    let (client, mut messages) = address.connect(Commit::Durable).await?;
    // It owns the connection and drops it at its end, so that a subscription that is still waiting fails too.
    let hear = async move {
        while let Some(message) = messages.next().await {
            if let AsyncMessage::Notification(notification) = message {
                if notification.channel() == WORDS {
                    bell.say(notification.payload());
                    continue;
                }
                let topic = Topic::ALL.into_iter().find(|topic| topic.channel() == notification.channel());
                bell.ring(topic.map(Topics::from).unwrap_or_default());
            }
        }
    };
    let subscribe = async move {
        let channels = Topic::ALL.map(|topic| format!("LISTEN {}; ", topic.channel())).concat();
        client.batch_execute(&format!("{channels}LISTEN {WORDS}")).await.map_err(super::session::error)?;
        bell.ring(Topics::ALL);
        // The connection lasts as long as its client, so that has to outlive the hearing.
        Ok(client)
    };
    let ((), subscribed) = tokio::join!(hear, subscribe);
    subscribed.map(drop)
}
