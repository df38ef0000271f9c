use super::*;
use crate::cover::Cover;
use crate::id::{AccountId, Identifier as _};
use crate::mode::Mode;
use crate::roster::Enrolled;
use crate::text::ShortLine;

const PAPER: u128 = 5;

fn line(text: &str) -> ShortLine {
    ShortLine::parse(text.to_owned()).unwrap()
}

fn student(id: &str) -> Student {
    Student { external_id: line(id), name: None }
}

fn roster(ids: &[&str]) -> Roster {
    Roster::of(ids.iter().map(|id| Enrolled { student: student(id), class: None }).collect()).unwrap()
}

/// `a` is a cover of student a, `?` an unread code, `!` a cover of another paper, `_` a blank page, `.` a page, and a
/// digit a page with the name of that student of the roster.
fn findings(pages: &str) -> Vec<Finding> {
    let finding = |sign: char| {
        let cover = |paper| {
            Seen::Cover(Cover { paper_id: PaperId::from_number(paper), external_id: line(&sign.to_string()) })
        };
        let seen = match sign {
            '?' => Seen::UnreadCode,
            '!' => cover(PAPER + 1),
            'a'..='z' => cover(PAPER),
            '0'..='9' => Seen::Name(NameSeen { student: sign as usize - '0' as usize, fit: 0.9 }),
            _ => Seen::Nothing,
        };
        Finding { seen, is_blank: sign == '_' }
    };
    pages.chars().map(finding).collect()
}

fn told(split: Split, known: &[&str], pages: &str) -> String {
    let (_, scripts) = propose(split, PaperId::from_number(PAPER), &roster(known), &findings(pages));
    let script = |script: &ScanScript| {
        let who = script.student.as_ref().map_or("-".to_owned(), |one| one.external_id.to_string());
        let warnings: Vec<&str> = script.warnings.iter().map(|warning| warning.name()).collect();
        format!("{who} {:?} {}", script.pages, warnings.join("+")).trim_end().to_owned()
    };
    scripts.iter().map(script).collect::<Vec<_>>().join("; ")
}

#[test]
fn covers_begin_scripts_and_belong_to_none() {
    assert_eq!(told(Split::Covers, &["a", "b"], "a..b.."), "a [2, 3]; b [5, 6]");
    assert_eq!(told(Split::Covers, &[], "a.b."), "a [2]; b [4]", "without a roster all are known");
    let (pages, _) = propose(Split::Covers, PaperId::from_number(PAPER), &roster(&[]), &findings("a._"));
    assert_eq!(
        pages.iter().map(|page| (page.is_cover, page.is_blank)).collect::<Vec<_>>(),
        [(true, false), (false, false), (false, true)]
    );
}

#[test]
fn whatever_is_doubtful_is_said() {
    assert_eq!(told(Split::Covers, &["a"], ".a."), "- [1] no_cover; a [3]");
    assert_eq!(told(Split::Covers, &["a"], "a.?."), "a [2]; - [3, 4] cover_unread");
    assert_eq!(told(Split::Covers, &["a"], "a.!."), "a [2]; - [4] cover_of_other_paper");
    assert_eq!(told(Split::Covers, &["a"], "z."), "z [2] unknown_student");
    assert_eq!(told(Split::Covers, &["a"], "a.a."), "a [2]; a [4] student_twice");
    assert_eq!(told(Split::Covers, &["a", "b"], "a_b._"), "b [4, 5] blank_pages", "nothing under a");
    assert_eq!(
        told(Split::Covers, &[], "a.b.c.d...."),
        "a [2]; b [4]; c [6]; d [8, 9, 10, 11] unusual_length"
    );
    assert_eq!(told(Split::Covers, &[], "ab"), "");
    assert_eq!(
        told(Split::Covers, &[], "a_b."),
        "a [2] blank_pages; b [4]",
        "no roster tells that a is absent"
    );
    assert_eq!(told(Split::Covers, &["b"], "a_b."), "a [2] unknown_student+blank_pages; b [4]");
}

#[test]
fn pages_are_counted_and_students_guessed_only_from_a_roster_of_that_length() {
    assert_eq!(
        told(Split::Pages(2), &["a", "b"], "...."),
        "a [1, 2] student_by_order; b [3, 4] student_by_order"
    );
    assert_eq!(told(Split::Pages(2), &["a"], "...."), "- [1, 2]; - [3, 4]");
    assert_eq!(told(Split::Pages(2), &["a", "b"], "..."), "- [1, 2]; - [3] unusual_length");
}

#[test]
fn names_begin_scripts_and_go_on_until_the_next() {
    assert_eq!(told(Split::Names, &["a", "b"], "0.01."), "a [1, 2, 3]; b [4, 5]");
    assert_eq!(told(Split::Names, &["a"], ".0"), "- [1] name_doubtful; a [2]");
}

fn scan(files: &[(ContentType, u32)], split: &str) -> ClassScan {
    let files = (1..).zip(files);
    let files = files.map(|(number, (content_type, pages))| ScanFile {
        file_id: FileId::from_number(number),
        content_type: Some(*content_type),
        pages: Some(*pages),
    });
    let (pages, scripts) =
        propose(Split::Covers, PaperId::from_number(PAPER), &Roster::default(), &findings(split));
    ClassScan {
        id: ClassScanId::from_number(1),
        owner: (AccountId::from_number(1), Mode::Test),
        paper_id: PaperId::from_number(PAPER),
        state: State::AwaitingConfirmation,
        split: Split::Covers,
        roster: Roster::default(),
        files: files.collect(),
        pages,
        scripts,
        created_at: Timestamp::UNIX_EPOCH,
        updated_at: Timestamp::UNIX_EPOCH,
    }
}

fn confirmed(scan: &ClassScan, corrected: Option<Vec<Corrected>>) -> Result<ClassScan, SplitProblem> {
    let mut next = 100;
    let new_id = || {
        next += 1;
        FileId::from_number(next)
    };
    scan.confirmed_as(corrected, new_id, Timestamp::UNIX_EPOCH)
}

fn parts(script: &ScanScript) -> Vec<(u128, usize, Option<Vec<u32>>)> {
    script.parts.iter().map(|part| (part.file_id.number(), part.file, part.taken.clone())).collect()
}

#[test]
fn a_script_takes_whole_files_and_pages_of_others() {
    let mixed = scan(&[(ContentType::Pdf, 4), (ContentType::Jpeg, 1), (ContentType::Pdf, 2)], "a..b...");
    let confirmed = confirmed(&mixed, None).unwrap();
    assert_eq!(parts(&confirmed.scripts[0]), [(101, 0, Some(vec![2, 3]))]);
    assert_eq!(parts(&confirmed.scripts[1]), [(2, 1, None), (3, 2, None)]);
    let same = confirmed
        .scripts
        .iter()
        .map(|script| Corrected { pages: script.pages.clone(), student: student("x") });
    assert!(
        confirmed.is_confirmed_as(Some(&same.collect::<Vec<_>>())) && !confirmed.is_confirmed_as(Some(&[]))
    );
    assert_eq!((confirmed.next_to_submit(), confirmed.ends_at()), (Some(0), None));
}

#[test]
fn corrections_are_held_against_the_pages() {
    let scan = scan(&[(ContentType::Pdf, 6)], "a..b..");
    let want = |scripts: &[(&str, &[u32])]| {
        let corrected =
            scripts.iter().map(|(id, pages)| Corrected { pages: pages.to_vec(), student: student(id) });
        confirmed(&scan, Some(corrected.collect()))
    };
    assert!(want(&[("a", &[2]), ("b", &[6, 5, 3])]).is_ok(), "pages may be left out and moved");
    assert_eq!(want(&[]), Err(SplitProblem::Nothing));
    assert_eq!(want(&[("a", &[])]), Err(SplitProblem::PageCount { script: 0 }));
    assert_eq!(want(&[("a", &[7])]), Err(SplitProblem::NoPage { script: 0, page: 7 }));
    assert_eq!(want(&[("a", &[0])]), Err(SplitProblem::NoPage { script: 0, page: 0 }));
    assert_eq!(want(&[("a", &[2]), ("b", &[2])]), Err(SplitProblem::SamePage { script: 1, page: 2 }));
    assert_eq!(want(&[("a", &[2]), ("a", &[3])]), Err(SplitProblem::SameStudent { script: 1, first: 0 }));
    let nameless = ClassScan {
        scripts: scan.scripts.iter().map(|one| ScanScript { student: None, ..one.clone() }).collect(),
        ..scan.clone()
    };
    assert_eq!(confirmed(&nameless, None), Err(SplitProblem::NoStudent { script: 0 }));
    let photographs = self::scan(&[(ContentType::Jpeg, 1); 22], &format!("a{}", ".".repeat(21)));
    assert_eq!(confirmed(&photographs, None), Err(SplitProblem::TooManyFiles { script: 0 }));
}

#[test]
fn what_is_submitted_stays_and_the_rest_can_be_confirmed_again() {
    let now = Timestamp::UNIX_EPOCH;
    let scan = confirmed(&scan(&[(ContentType::Pdf, 4)], "a.b."), None).unwrap();
    let id = SubmissionId::from_number(9);
    let scan = scan.submitted(0, id, now).unwrap();
    assert_eq!(scan.submitted(0, SubmissionId::from_number(10), now), None, "one submission for one script");
    let scan = scan.hindered(1, Obstacle::SubmissionExists, now).unwrap().settled(now);
    assert_eq!(
        (scan.state, scan.scripts[1].obstacle),
        (State::AwaitingConfirmation, Some(Obstacle::SubmissionExists))
    );
    let of = |scripts: &[(&str, u32)]| {
        let corrected =
            scripts.iter().map(|(id, page)| Corrected { pages: vec![*page], student: student(id) });
        confirmed(&scan, Some(corrected.collect()))
    };
    assert_eq!(of(&[("c", 2), ("d", 2)]), Err(SplitProblem::SamePage { script: 1, page: 2 }));
    let again = of(&[("c", 4)]).unwrap();
    assert_eq!(again.scripts, of(&[("c", 4), ("a", 2)]).unwrap().scripts, "named or not");
    assert_eq!((again.next_to_submit(), again.scripts[1].submission_id), (Some(0), Some(id)));
    let done = again.submitted(0, SubmissionId::from_number(11), now).unwrap();
    assert_eq!(done.next_to_submit(), None);
    let done = done.settled(now);
    assert_eq!(done.state, State::Confirmed);
    assert!(
        done.scripts.iter().all(|script| script.student.is_none()),
        "the submissions know whose they are"
    );
    assert!(done.must_await_confirmation().is_err() && done.is_confirmed_as(None));
}
