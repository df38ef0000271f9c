//! Every list: limits, cursors, windows, order; on the list of credit transactions.

use domain::credit::Credits;
use service::credits::OperatorMovement;
use testkit::{Answer, App};

async fn fill(app: &App, count: usize) {
    for number in 0..count {
        if number % 3 == 0 {
            app.clock.advance_seconds(1);
        }
        let movement = OperatorMovement::TopUp { amount: Credits(1), valid_until: None, reference: None };
        app.service.move_credits(app.owner(), movement).await.unwrap();
    }
}

fn next(answer: &Answer) -> Option<&str> {
    answer.body["next_cursor"].as_str()
}

testkit::on_both_engines! {
    async fn pages_cover_all_once_newest_first(app: App) {
        fill(&app, 24).await;
        let all = app.get("/v1/credit_transactions?limit=100").send().await;
        assert_eq!((all.ids().len(), next(&all), &all.body["has_more"]), (25, None, &false.into()));
        let mut sorted = all.ids();
        sorted.sort_by(|one, other| other.cmp(one));
        assert_eq!(all.body["data"][24]["amount"], 1000, "the oldest stands last");

        let mut seen = Vec::new();
        let mut page = app.get("/v1/credit_transactions?limit=7").send().await;
        loop {
            seen.extend(page.ids());
            let Some(cursor) = next(&page) else { break };
            assert_eq!(page.body["has_more"], true);
            // Rows that are added between pages do not move the others.
            fill(&app, 1).await;
            page = app.get(&format!("/v1/credit_transactions?limit=7&cursor={cursor}")).send().await;
        }
        assert_eq!(seen, all.ids());
        assert_eq!(app.get("/v1/credit_transactions").send().await.ids().len(), 20, "the default");
    }

    async fn a_cursor_belongs_to_its_list_filters_and_owner(app: App) {
        fill(&app, 3).await;
        let page = app.get("/v1/credit_transactions?limit=1&type=top_up").send().await;
        let cursor = next(&page).unwrap();
        for (path, key) in [
            (format!("/v1/credit_transactions?limit=1&cursor={cursor}"), &app.live_key),
            (format!("/v1/credit_transactions?limit=1&type=expiry&cursor={cursor}"), &app.live_key),
            (format!("/v1/credit_transactions?type=top_up&created_after=2020-01-01T00:00Z&cursor={cursor}"), &app.live_key),
            (format!("/v1/credit_transactions?type=top_up&cursor={cursor}"), &app.test_key),
            (format!("/v1/events?cursor={cursor}"), &app.live_key),
            ("/v1/credit_transactions?cursor=bm9uc2Vuc2U".to_owned(), &app.live_key),
            (format!("/v1/credit_transactions?cursor={}", "x".repeat(201)), &app.live_key),
        ] {
            let answer = app.get(&path).key(key).send().await;
            assert_eq!(answer.problem(), "400 parameter_invalid cursor", "{path}");
        }
        let other_size = format!("/v1/credit_transactions?limit=2&type=top_up&cursor={cursor}");
        assert_eq!(app.get(&other_size).send().await.ids().len(), 2);
    }

    async fn windows_are_exclusive_and_to_the_microsecond(app: App) {
        // The first row stands at 03:05:07.250, the others a second later each; those of one moment of the clock
        // follow each other within microseconds.
        fill(&app, 6).await;
        for (window, count) in [
            ("created_after=2026-11-15T03:05:07Z", 7),
            ("created_after=2026-11-15T03:05:07.249999Z", 7),
            ("created_after=2026-11-15T03:05:07.25Z", 6),
            ("created_before=2026-11-15T03:05:07.25Z", 0),
            ("created_before=2026-11-15T03:05:07.250001Z", 1),
            ("created_after=2026-11-15T03:05Z&created_before=2026-11-15T03:05:08.5Z", 4),
            ("created_after=2026-11-15T08:35:08.2501+05:30", 3),
            ("created_after=2026-11-15T08:35:08.2501%2B05:30", 3),
            ("created_before=2026-11-14T22:05:09-05:00", 4),
        ] {
            let answer = app.get(&format!("/v1/credit_transactions?{window}")).send().await;
            assert_eq!(answer.ids().len(), count, "{window}");
        }
    }

    async fn filters_combine(app: App) {
        fill(&app, 2).await;
        let grading = "/v1/credit_transactions?type=grading&source_id=sub_00000000000000000000000001";
        assert!(app.get(grading).send().await.ids().is_empty());
        let answer = app.get("/v1/credit_transactions?type=top_up&created_after=2026-11-15T03:05:08Z").send().await;
        assert_eq!(answer.ids().len(), 2);
        assert!(app.get("/v1/credit_transactions?source_id=nobody").send().await.ids().is_empty());
    }

    async fn modes_do_not_see_each_other(app: App) {
        fill(&app, 2).await;
        let test = app.get("/v1/credit_transactions").key(&app.test_key).send().await;
        assert_eq!(test.ids().len(), 1);
        assert_eq!(test.body["data"][0]["description"], "First test credits");
        assert_eq!(test.body["data"][0]["livemode"], false);
    }
}
