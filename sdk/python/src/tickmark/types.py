"""The shapes of the API, generated from openapi.json by generate.py."""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict

from typing_extensions import NotRequired


class Adjustment(TypedDict):
    """
    A decision of a person about one answer.
    """

    id: str
    """
    Its id.
    """
    object: Literal['adjustment']
    """
    Always `adjustment`.
    """
    livemode: bool
    """
    True for live mode.
    """
    submission_id: str
    """
    The submission.
    """
    paper_id: str
    """
    Its paper.
    """
    question: str
    """
    The question's number, as printed.
    """
    part: str | None
    """
    The part's label; null for a question that is marked as a whole.
    """
    awarded_before: float
    """
    The mark that stood before.
    """
    awarded: float
    """
    The mark from then on.
    """
    available: float
    """
    The most that the answer can earn.
    """
    answer: str | None
    """
    What the student wrote, as the person read it; null where what was read was not corrected.
    """
    remark: str | None
    """
    What the person says to the student.
    """
    checked: bool
    """
    False where an earlier decision was taken back, and the answer counts as not checked again.
    """
    reviewer: str | None
    """
    Who decided; null where that was not said.
    """
    created_at: str
    """
    When.
    """


class AdjustmentList(TypedDict):
    """
    A page of a list.
    """

    object: Literal['list']
    """
    Always `list`.
    """
    data: list[Adjustment]
    """
    The items of this page.
    """
    has_more: bool
    """
    True when there is a next page.
    """
    next_cursor: str | None
    """
    Pass it as `cursor` for the next page; null on the last.
    """


class Agreement(TypedDict):
    """
    How well machine and person agree on the answers that a person checked. Intervals hold nineteen times in twenty.
    """

    checked: int
    """
    How many answers.
    """
    random: bool
    """
    True: nobody chose them, so that they speak for all answers. False: all that a person checked.
    """
    more_for_half: int
    """
    How many more would make the intervals about half as wide.
    """
    exact: float
    """
    The share with the same mark.
    """
    exact_low: float
    """
    Its lower bound.
    """
    exact_high: float
    """
    Its upper bound.
    """
    kappa: float | None
    """
    Quadratic weighted kappa; null where all marks are the same.
    """
    kappa_low: float | None
    """
    Its lower bound.
    """
    kappa_high: float | None
    """
    Its upper bound.
    """


AmendmentOutcome: TypeAlias = Literal['changed', 'unchanged', 'waiting', 'unmarked', 'untouched']


AmendmentStatus: TypeAlias = Literal['previewing', 'previewed']
"""
How far an amendment is.
"""


class ApiKeyRevocation(TypedDict):
    """
    A key that was revoked.
    """

    object: Literal['api_key']
    """
    Always `api_key`.
    """
    revoked: bool
    """
    Always true.
    """


class AppliedAmendment(TypedDict):
    """
    Which change is applied.
    """

    amendment_id: str
    """
    The amendment's id: another one that took its place is not applied.
    """


class Balance(TypedDict):
    """
    What the account has in this mode.
    """

    object: Literal['balance']
    """
    Always `balance`.
    """
    livemode: bool
    """
    True for live mode.
    """
    available: int
    """
    To be spent.
    """
    held: int
    """
    Set aside for work that has begun.
    """
    expired: int
    """
    Past their date: kept, but not usable.
    """
    total: int
    """
    All of them together.
    """


class Data1(TypedDict):
    """
    What it is about.
    """

    object: Balance


class BalanceEvent(TypedDict):
    """
    Something that happened.
    """

    id: str
    """
    Its id, by which repeats are known.
    """
    object: Literal['event']
    """
    Always `event`.
    """
    type: Literal['credits.balance_low']
    """
    What happened. New types may be added; ignore those you do not know.
    """
    livemode: bool
    """
    True for live mode.
    """
    created_at: str
    """
    When it happened.
    """
    data: Data1
    """
    What it is about.
    """


BillingStatus: TypeAlias = Literal['pending', 'held', 'charged', 'not_charged']


class Box(TypedDict):
    """
    A rectangle in fractions of the page.
    """

    x: float
    """
    Left edge.
    """
    y: float
    """
    Top edge.
    """
    width: float
    """
    Width.
    """
    height: float
    """
    Height.
    """


ClassScanObstacle: TypeAlias = Literal['submission_exists', 'insufficient_credits', 'credits_expired', 'pages_unreadable', 'processing_failed']


class ClassScanPage(TypedDict):
    """
    What was seen of a page.
    """

    page: int
    """
    Its number, counted from 1 through all files.
    """
    is_cover: bool
    """
    It is a cover sheet and belongs to no script.
    """
    is_blank: bool
    """
    Nothing is written on it.
    """


ClassScanSplitBy: TypeAlias = Literal['covers', 'pages', 'names']


ClassScanStatus: TypeAlias = Literal['processing', 'awaiting_confirmation', 'confirming', 'confirmed', 'failed']


ClassScanWarning: TypeAlias = Literal['no_cover', 'cover_unread', 'cover_of_other_paper', 'unknown_student', 'student_twice', 'student_by_order', 'name_doubtful', 'unusual_length', 'blank_pages']


CoverSheet = TypedDict(
    'CoverSheet',
    {
        'external_id': str,
        'name': str | None,
        'class': str | None,
        'token': str,
    },
)


class Covers(TypedDict):
    """
    What the cover sheets of a class say, for those who print their own.
    """

    object: Literal['covers']
    """
    Always `covers`.
    """
    livemode: bool
    """
    True for live mode.
    """
    paper_id: str
    """
    The paper.
    """
    sheets: list[CoverSheet]
    """
    One for each student, in the order of the request.
    """


class DeletedObject(TypedDict):
    """
    What an event keeps of a paper or a submission that was deleted.
    """

    id: str
    """
    Its id.
    """
    object: Literal['paper', 'submission']
    """
    `paper` or `submission`.
    """
    deleted: bool
    """
    Always true.
    """


class EmptyObject(TypedDict):
    """
    An object without members. It may be left out.
    """


EndpointStatus: TypeAlias = Literal['enabled', 'disabled']
"""
Whether an endpoint gets deliveries.
"""


ErrorCode: TypeAlias = Literal['parameter_missing', 'parameter_invalid', 'parameter_unknown', 'invalid_json', 'idempotency_key_missing', 'api_key_missing', 'api_key_invalid', 'api_key_revoked', 'insufficient_credits', 'credits_expired', 'insufficient_scope', 'ip_not_allowed', 'account_suspended', 'https_required', 'resource_missing', 'route_not_found', 'idempotency_key_reused', 'idempotency_request_in_progress', 'external_id_taken', 'paper_not_ready', 'paper_not_awaiting_review', 'paper_in_progress', 'paper_has_empty_question', 'review_link_unavailable', 'file_already_attached', 'file_purpose_mismatch', 'file_not_uploaded', 'file_expired', 'submission_exists', 'submission_not_cancelable', 'submission_not_releasable', 'submission_in_progress', 'result_not_available', 'report_not_available', 'too_many_webhook_endpoints', 'class_scan_not_confirmable', 'class_scan_in_progress', 'too_many_class_scans', 'request_too_large', 'unsupported_media_type', 'rate_limit_exceeded', 'internal_error', 'service_unavailable']
"""
Names the error for programs.
"""


ErrorType: TypeAlias = Literal['invalid_request_error', 'authentication_error', 'billing_error', 'permission_error', 'rate_limit_error', 'api_error']
"""
The kinds of error.
"""


class Evidence(TypedDict):
    """
    Words of the student's and where they stand.
    """

    file: int
    """
    Which of the submission's files, counted from 0.
    """
    page: int
    """
    Which page of that file, counted from 1.
    """
    box: Box
    """
    Where on the page, in fractions of its width and height from its top left corner.
    """
    text: str
    """
    As they were read.
    """


FailureCodes: TypeAlias = Literal['file_download_failed', 'file_unreadable', 'unsupported_file_type', 'file_too_large', 'too_many_pages', 'insufficient_credits', 'credits_expired', 'processing_timeout', 'no_questions_found', 'processing_failed']


FeedbackLevel: TypeAlias = Literal['none', 'brief', 'standard', 'detailed']


FileContentType: TypeAlias = Literal['application/pdf', 'image/jpeg', 'image/png']


FilePurpose: TypeAlias = Literal['question_paper', 'marking_scheme', 'answer_script']


class FileReference(TypedDict):
    """
    A file: exactly one of the two members.
    """

    file_id: NotRequired[str | None]
    """
    An uploaded file.
    """
    url: NotRequired[str | None]
    """
    Where to fetch it: https, a public address.
    """


FileStatus: TypeAlias = Literal['awaiting_upload', 'uploaded', 'attached', 'expired']


FlagName: TypeAlias = Literal['low_confidence', 'illegible', 'answer_continues_elsewhere', 'more_answers_than_asked', 'not_attempted', 'not_judged']
"""
What a person should know about a marked answer.
"""


HistogramBar = TypedDict(
    'HistogramBar',
    {
        'from': int,
        'to': int,
        'scripts': int,
    },
)


class Level(TypedDict):
    """
    One level of a level-of-response scheme.
    """

    name: str
    """
    "Level 2"
    """
    marks_from: float
    """
    The least marks in it.
    """
    marks_to: float
    """
    The most marks in it.
    """
    descriptor: str
    """
    What an answer at this level looks like.
    """


class MarkChange(TypedDict):
    """
    How the mark of one answer would change.
    """

    part: str | None
    """
    The part's label; null for a question that is marked as a whole.
    """
    awarded_before: float
    """
    What it earns now.
    """
    awarded: float
    """
    What it would earn.
    """


MarkKind: TypeAlias = Literal['point', 'method', 'accuracy', 'independent', 'option', 'answer']
"""
What sort of mark a point carries.
"""


class MarkPoint(TypedDict):
    """
    One thing that earns marks.
    """

    text: str
    """
    In the scheme's words.
    """
    marks: float
    """
    What it is worth.
    """
    kind: MarkKind
    """
    What sort of mark it is.
    """
    alternatives: list[str]
    """
    Other wordings that are as good.
    """
    accept: list[str]
    """
    Weaker wordings that still earn it.
    """
    reject: list[str]
    """
    Wordings that lose it.
    """


class NewAdjustment(TypedDict):
    """
    A mark to be set: `awarded`, or `answer` to have the answer judged again.
    """

    question: str
    """
    The question's number as printed, or its id where several have that number.
    """
    part: NotRequired[str | None]
    """
    The part's label; left out for a question that is marked as a whole.
    """
    awarded: NotRequired[float | None]
    """
    The mark: from 0 to the part's marks, in the scheme's steps.
    """
    answer: NotRequired[str | None]
    """
    What the student really wrote; it is judged again.
    """
    remark: NotRequired[str | None]
    """
    What the student is told.
    """
    reviewer: NotRequired[str | None]
    """
    Who decided. Only the list of adjustments names them.
    """


class NewClassScanFile(TypedDict):
    """
    A file of a class scan.
    """

    file_id: str
    """
    An uploaded file that nothing else uses.
    """


Page: TypeAlias = int


class NewClassScanSplit(TypedDict):
    """
    How a class scan is parted.
    """

    by: ClassScanSplitBy
    """
    By the codes on `covers`, after a number of `pages`, or by the `names` at the head of the pages, which needs
    `students`.
    """
    pages_per_script: NotRequired[int | None]
    """
    After how many pages a script ends; with `pages` only, and required there.
    """


NewEnrolledStudent = TypedDict(
    'NewEnrolledStudent',
    {
        'external_id': str,
        'name': NotRequired[str | None],
        'class': NotRequired[str | None],
    },
)


class NewFile(TypedDict):
    """
    A file to be uploaded.
    """

    purpose: FilePurpose
    """
    What it is for. A `question_paper` and a `marking_scheme` must be PDFs.
    """
    filename: str
    """
    The client's name for it.
    """
    content_type: FileContentType
    """
    What it is.
    """
    size_bytes: int
    """
    How many bytes it has.
    """


class NewReviewLink(TypedDict):
    """
    A link to be made.
    """

    reviewer: str
    """
    Who it is for; the record of changes names them so.
    """
    expires_in_hours: NotRequired[int | None]
    """
    For how many hours it works; 72 if absent.
    """


class NewStudent(TypedDict):
    """
    Who wrote a script.
    """

    external_id: str
    """
    The client's own reference.
    """
    name: NotRequired[str | None]
    """
    For people.
    """


class NewSubmission(TypedDict):
    """
    A script to be marked.
    """

    paper_id: str
    """
    A paper that is ready.
    """
    student: NewStudent
    """
    Who wrote it.
    """
    files: list[FileReference]
    """
    The script: 1 to 20 files, none twice.
    """
    metadata: NotRequired[dict[str, str]]
    """
    The client's own notes: at most 50 keys of 1 to 40 characters, values of up to 500.
    """
    test_outcome: NotRequired[str | None]
    """
    In test mode, what happens instead of marking: `succeed`, `no_readable_answers`, or a failure code.
    """


class PaperDocument(TypedDict):
    """
    One of a paper's documents.
    """

    file_id: str | None
    """
    Its file; null when it was given by URL.
    """
    pages: int | None
    """
    How many pages, once they are counted.
    """


class PaperPatch(TypedDict):
    """
    What of a paper can be changed.
    """

    title: NotRequired[str | None]
    """
    A new title.
    """
    external_id: NotRequired[str | None]
    """
    A new reference; null clears it.
    """
    metadata: NotRequired[dict[str, str]]
    """
    New notes in place of all the old.
    """


PaperStatus: TypeAlias = Literal['processing', 'awaiting_review', 'ready', 'failed']


PaperWarning: TypeAlias = Literal['questions_may_be_incomplete', 'answer_keys_missing', 'scheme_instructions_not_used']


class PointPatch(TypedDict):
    """
    What becomes of one point of a key. What is left out stays as it is; a list replaces the list.
    """

    part: NotRequired[str | None]
    """
    The part's label; left out for a question that is marked as a whole.
    """
    point: int
    """
    The point's place in `answer_key.points`, counted from 0.
    """
    text: NotRequired[str | None]
    """
    In the scheme's words.
    """
    marks: NotRequired[float | None]
    """
    What it is worth. Every part stays worth what the paper says.
    """
    alternatives: NotRequired[list[str] | None]
    """
    Other wordings that are as good.
    """
    accept: NotRequired[list[str] | None]
    """
    Weaker wordings that still earn it.
    """
    reject: NotRequired[list[str] | None]
    """
    Wordings that lose it.
    """


class Pricing(TypedDict):
    """
    What a page costs, in credits.
    """

    paper_credits_per_page: int
    """
    A page of a question paper or its scheme.
    """
    grading_credits_per_page: int
    """
    A page of a script.
    """


class QuestionOption(TypedDict):
    """
    One option of a multiple choice.
    """

    label: str
    """
    "A"
    """
    text: str
    """
    What it says; empty for a picture.
    """


class QuestionStatistics(TypedDict):
    """
    One question in figures.
    """

    number: str
    """
    As printed.
    """
    available: float
    """
    The most that it can earn.
    """
    scripts: int
    """
    In how many scripts it counts.
    """
    mean: float | None
    """
    The mean of its marks.
    """
    spread: float | None
    """
    The standard deviation of its marks.
    """
    discrimination: float | None
    """
    The correlation of its marks with those of the script's other questions; null where there is nothing to tell.
    """
    agreement: Agreement | None


QuestionType: TypeAlias = Literal['multiple_choice', 'numeric', 'short_answer', 'extended', 'expression', 'drawing']
"""
How an answer is judged.
"""


class Release(TypedDict):
    """
    How many results were released.
    """

    object: Literal['release']
    """
    Always `release`.
    """
    paper_id: str
    """
    The paper.
    """
    released: int
    """
    How many scripts this call released.
    """


class ReportModel(TypedDict):
    """
    A model that an engine used.
    """

    name: str
    """
    Its name.
    """
    sha256: str
    """
    SHA-256 of its weights in hexadecimal; empty for one behind a remote endpoint.
    """


class ReportPartFeedback(TypedDict):
    """
    What the student is told about one part.
    """

    label: str
    """
    As printed.
    """
    feedback: str
    """
    About this part.
    """


class ReportQuestionPart(TypedDict):
    """
    The marks and the answer of one part.
    """

    label: str
    """
    As printed.
    """
    awarded: float
    """
    The marks earned.
    """
    adjusted: bool
    """
    True when a person decided about its mark.
    """
    available: float
    """
    The most that it could earn.
    """
    answer: str
    """
    What was read.
    """
    confidence: float
    """
    How sure the engine is.
    """
    flags: list[FlagName]
    """
    What a person should know.
    """


class ReportQuestionShare(TypedDict):
    """
    How much of a question's marks was earned, in per cent.
    """

    number: str
    """
    As printed.
    """
    own: float | None
    """
    By this script; null where the question does not count in it.
    """
    mean: float | None
    """
    By all scripts in which it counts; null when those are too few.
    """


ReportSection: TypeAlias = Literal['summary', 'questions', 'feedback', 'evidence', 'statistics', 'marking']


class ReportStatistics(TypedDict):
    """
    This script against the paper's released scripts, in per cent of the marks.
    """

    scripts: int
    """
    How many scripts the figures are about.
    """
    own: float
    """
    This script.
    """
    mean: float | None
    """
    The mean of all; this and the next three are null with fewer than five scripts.
    """
    lower_quartile: float | None
    """
    A quarter of the scripts is at or below this.
    """
    median: float | None
    """
    Half of the scripts are at or below this.
    """
    upper_quartile: float | None
    """
    Three quarters of the scripts are at or below this.
    """
    questions: list[ReportQuestionShare]
    """
    In paper order.
    """


ResultStatus: TypeAlias = Literal['provisional', 'final']
"""
Whether a result can still change.
"""


ResultsRelease: TypeAlias = Literal['automatic', 'after_review']


class ReviewLink(TypedDict):
    """
    A link to a paper's review page. Its URL is shown only here.
    """

    object: Literal['review_link']
    """
    Always `review_link`.
    """
    paper_id: str
    """
    The paper it opens.
    """
    reviewer: str
    """
    Who it is for; the record of changes names them so.
    """
    url: str
    """
    To be used whole: what follows the # is the permission, and is never sent to a server as part of an address.
    """
    expires_at: str
    """
    When it ends by itself.
    """


class ReviewLinkRevocation(TypedDict):
    """
    Review links that were withdrawn.
    """

    object: Literal['review_link_revocation']
    """
    Always `review_link_revocation`.
    """
    paper_id: str
    """
    The paper.
    """
    revoked: int
    """
    How many links still worked.
    """


class SchemeVersion(TypedDict):
    """
    A version of a scheme.
    """

    version: int
    """
    Counted from 1.
    """
    reviewer: str | None
    """
    Who made it; null for what was approved, and where that was not said.
    """
    created_at: str
    """
    When.
    """


class Score(TypedDict):
    """
    What was earned of what could be earned.
    """

    awarded: float
    """
    The marks earned.
    """
    available: float
    """
    The marks that could be earned.
    """
    percentage: float
    """
    The one as a share of the other, to one decimal.
    """


class Statistics(TypedDict):
    """
    The marked scripts of a paper in figures, released or not.
    """

    object: Literal['statistics']
    """
    Always `statistics`.
    """
    id: str
    """
    The paper's id with the prefix `stat_`.
    """
    livemode: bool
    """
    True for live mode.
    """
    paper_id: str
    """
    The paper.
    """
    scripts: int
    """
    How many scripts the figures are about.
    """
    mean: float | None
    """
    The mean of their marks; null without any.
    """
    spread: float | None
    """
    The standard deviation of their marks; null with fewer than two.
    """
    histogram: list[HistogramBar]
    """
    Scripts by the share of the marks that they earned.
    """
    questions: list[QuestionStatistics]
    """
    In paper order.
    """


Strictness: TypeAlias = Literal['lenient', 'standard', 'strict']


class Student(TypedDict):
    """
    Who wrote a script.
    """

    external_id: str
    """
    The client's own reference.
    """
    name: str | None
    """
    For people.
    """


class StudentPatch(TypedDict):
    """
    A student's new name.
    """

    name: NotRequired[str | None]
    """
    The name; null clears it.
    """


class Subject(TypedDict):
    """
    A subject that a paper can be of.
    """

    id: str
    """
    Its id.
    """
    object: Literal['subject']
    """
    Always `subject`.
    """
    livemode: bool
    """
    The mode of the key that asks; the catalogue is the same in both.
    """
    name: str
    """
    Its name.
    """
    code: str | None
    """
    The board's code.
    """
    level: str | None
    """
    Its level.
    """


class SubjectList(TypedDict):
    """
    A page of a list.
    """

    object: Literal['list']
    """
    Always `list`.
    """
    data: list[Subject]
    """
    The items of this page.
    """
    has_more: bool
    """
    True when there is a next page.
    """
    next_cursor: str | None
    """
    Pass it as `cursor` for the next page; null on the last.
    """


class SubmissionCounts(TypedDict):
    """
    Submissions by status.
    """

    queued: int
    """
    Waiting.
    """
    processing: int
    """
    Being marked.
    """
    graded: int
    """
    Marked; the result is provisional.
    """
    released: int
    """
    The result is final.
    """
    failed: int
    """
    Could not be marked.
    """
    canceled: int
    """
    Taken back.
    """


class SubmissionFile(TypedDict):
    """
    One file of a script.
    """

    file_id: str | None
    """
    Its file; null when it was given by URL.
    """
    content_type: FileContentType | None
    pages: int | None
    """
    How many pages, once they are counted.
    """


class SubmissionPatch(TypedDict):
    """
    What of a submission can be changed.
    """

    student: NotRequired[StudentPatch | None]
    metadata: NotRequired[dict[str, str]]
    """
    New notes in place of all the old.
    """


SubmissionStatus: TypeAlias = Literal['queued', 'processing', 'graded', 'released', 'failed', 'canceled']


class TransactionSource(TypedDict):
    """
    What credits were spent on.
    """

    object: Literal['paper', 'submission']
    """
    `paper` or `submission`.
    """
    id: str
    """
    Its id.
    """


TransactionType: TypeAlias = Literal['top_up', 'paper_processing', 'grading', 'adjustment', 'expiry']
"""
Why credits moved.
"""


UploadHeaders = TypedDict(
    'UploadHeaders',
    {
        'Content-Type': str,
        'Content-Length': str,
        'If-None-Match': str,
    },
)


VerdictName: TypeAlias = Literal['credited', 'missing', 'contradicted', 'superseded', 'not_judged']
"""
What an answer says about a point of the scheme. Marks are earned by what is `credited` alone.
"""


class WebhookEndpoint(TypedDict):
    """
    Where events are sent.
    """

    id: str
    """
    Its id.
    """
    object: Literal['webhook_endpoint']
    """
    Always `webhook_endpoint`.
    """
    livemode: bool
    """
    True for live mode: it gets the events of its own mode only.
    """
    url: str
    """
    Where deliveries are posted to.
    """
    events: list[str]
    """
    The event types that it gets; `*` stands for all, later ones too.
    """
    description: str | None
    """
    Your own words.
    """
    status: EndpointStatus
    """
    Whether it gets deliveries.
    """
    secret: str | None
    """
    What deliveries are signed with; shown when it is made and when it is rotated, otherwise null.
    """
    created_at: str
    """
    When it was made.
    """


class WebhookEndpointCreate(TypedDict):
    """
    An endpoint to be made.
    """

    url: str
    """
    Where deliveries are posted to: https, a public host by its name, port 443, 8443 or 1024 and up.
    """
    events: list[str]
    """
    Event types, or `*` for all.
    """
    description: NotRequired[str | None]
    """
    Your own words.
    """


class WebhookEndpointList(TypedDict):
    """
    A page of a list.
    """

    object: Literal['list']
    """
    Always `list`.
    """
    data: list[WebhookEndpoint]
    """
    The items of this page.
    """
    has_more: bool
    """
    True when there is a next page.
    """
    next_cursor: str | None
    """
    Pass it as `cursor` for the next page; null on the last.
    """


class WebhookEndpointUpdate(TypedDict):
    """
    What is to be changed; what is absent stays.
    """

    url: NotRequired[str]
    """
    Where deliveries are posted to. A new one takes what waits, and restarts the five days of failures.
    """
    events: NotRequired[list[str]]
    """
    Event types, or `*` for all.
    """
    description: NotRequired[str | None]
    """
    Your own words; null takes them away.
    """
    status: NotRequired[EndpointStatus]
    """
    Disabling drops what waits; what happens meanwhile is not sent later.
    """


WhichName: TypeAlias = Literal['all', 'checked', 'unflagged']


class Account(TypedDict):
    """
    The account that the key belongs to.
    """

    object: Literal['account']
    """
    Always `account`.
    """
    id: str
    """
    Its id.
    """
    name: str
    """
    The partner's name.
    """
    livemode: bool
    """
    True for live mode.
    """
    pricing: Pricing
    """
    What a page costs.
    """
    low_balance_threshold: int
    """
    Below this, `credits.balance_low` is sent.
    """
    rate_limit_per_minute: int
    """
    Requests that all keys of this mode may make in a minute.
    """
    credits_valid_until: str | None
    """
    When the available credits end; null when they do not.
    """


class Data(TypedDict):
    """
    What it is about.
    """

    object: Account


class AccountEvent(TypedDict):
    """
    Something that happened.
    """

    id: str
    """
    Its id, by which repeats are known.
    """
    object: Literal['event']
    """
    Always `event`.
    """
    type: Literal['credits.expiring']
    """
    What happened. New types may be added; ignore those you do not know.
    """
    livemode: bool
    """
    True for live mode.
    """
    created_at: str
    """
    When it happened.
    """
    data: Data
    """
    What it is about.
    """


class AmendedScript(TypedDict):
    """
    What an amendment does to one script.
    """

    object: Literal['amended_script']
    """
    Always `amended_script`.
    """
    submission_id: str
    """
    The submission.
    """
    student_external_id: str
    """
    The client's own reference to the student.
    """
    outcome: AmendmentOutcome
    """
    Whether marks would change, all would stay, it waits to be marked again, it could not be marked again and keeps
    its marks, or it is released and stays untouched.
    """
    changes: list[MarkChange]
    """
    The marks that would change.
    """


class AmendedScriptList(TypedDict):
    """
    A page of a list.
    """

    object: Literal['list']
    """
    Always `list`.
    """
    data: list[AmendedScript]
    """
    The items of this page.
    """
    has_more: bool
    """
    True when there is a next page.
    """
    next_cursor: str | None
    """
    Pass it as `cursor` for the next page; null on the last.
    """


class Amendment(TypedDict):
    """
    A change of a scheme that is looked at before it counts.
    """

    id: str
    """
    Its id. Another change has another.
    """
    object: Literal['amendment']
    """
    Always `amendment`.
    """
    livemode: bool
    """
    True for live mode.
    """
    paper_id: str
    """
    The paper.
    """
    question: str
    """
    The number of the question that it changes, as printed.
    """
    base_version: int
    """
    The version of the scheme that it changes.
    """
    status: AmendmentStatus
    """
    `previewing` while scripts are marked again, then `previewed`: it can be applied.
    """
    scripts: int
    """
    How many graded scripts there are.
    """
    tried: int
    """
    How many of them were marked again so far.
    """
    changed: int
    """
    How many of those would change.
    """
    unmarked: int
    """
    How many of those could not be marked again: their marks stay.
    """
    untouched: int
    """
    How many are released and stay as they are.
    """
    reviewer: str | None
    """
    Who wants it; null where that was not said.
    """
    created_at: str
    """
    When it was asked for.
    """


class AnswerKey(TypedDict):
    """
    What earns the marks.
    """

    points: list[MarkPoint]
    """
    Separate points, in the scheme's order.
    """
    notes: str | None
    """
    Guidance that belongs to no single point.
    """
    levels: list[Level]
    """
    Levels of response.
    """


class Billing(TypedDict):
    """
    What it costs, and how far that is settled.
    """

    status: BillingStatus
    """
    How far it is settled.
    """
    pages: int | None
    """
    For how many pages, once they are counted.
    """
    credits: int | None
    """
    How many credits, once the pages are counted.
    """


class ClassScanFile(TypedDict):
    """
    A file of a class scan.
    """

    file_id: str
    """
    Which.
    """
    content_type: FileContentType | None
    pages: int | None
    """
    How many pages it has, once they are counted.
    """


class ClassScanScript(TypedDict):
    """
    One student's pages of a class scan.
    """

    pages: list[int]
    """
    Its pages in their order.
    """
    student: Student | None
    confidence: float
    """
    How likely pages and student are right.
    """
    warnings: list[ClassScanWarning]
    """
    What makes it doubtful.
    """
    submission_id: str | None
    """
    What it became.
    """
    obstacle: ClassScanObstacle | None


class ClassScanSplit(TypedDict):
    """
    How a class scan is parted.
    """

    by: ClassScanSplitBy
    """
    By what.
    """
    pages_per_script: int | None
    """
    After how many pages a script ends, where it is parted so.
    """


class CreditTransaction(TypedDict):
    """
    A movement of credits.
    """

    id: str
    """
    Its id.
    """
    object: Literal['credit_transaction']
    """
    Always `credit_transaction`.
    """
    livemode: bool
    """
    True for live mode.
    """
    type: TransactionType
    """
    Why credits moved.
    """
    amount: int
    """
    By how many, with its sign.
    """
    balance_after: int
    """
    Available and held credits after it.
    """
    pages: int | None
    """
    For how many pages.
    """
    source: TransactionSource | None
    reference: str | None
    """
    The operator's reference.
    """
    description: str
    """
    For people.
    """
    created_at: str
    """
    When it happened.
    """


class CreditTransactionList(TypedDict):
    """
    A page of a list.
    """

    object: Literal['list']
    """
    Always `list`.
    """
    data: list[CreditTransaction]
    """
    The items of this page.
    """
    has_more: bool
    """
    True when there is a next page.
    """
    next_cursor: str | None
    """
    Pass it as `cursor` for the next page; null on the last.
    """


class ErrorMember(TypedDict):
    """
    What went wrong.
    """

    type: ErrorType
    """
    The kind of error.
    """
    code: ErrorCode
    """
    Names the error for programs.
    """
    message: str
    """
    Says it to people.
    """
    param: str | None
    """
    The parameter that is wrong, such as `grading.strictness` or `files[1].file_id`.
    """
    resource_id: str | None
    """
    The object that the error is about.
    """
    request_id: str | None
    """
    The value of `X-Request-Id`.
    """


class Failure(TypedDict):
    """
    Why it failed. Nothing was charged.
    """

    code: FailureCodes
    """
    For programs.
    """
    message: str
    """
    For people.
    """


class Grading(TypedDict):
    """
    How scripts are judged.
    """

    strictness: Strictness
    """
    How readily a doubtful answer earns its mark.
    """
    feedback: FeedbackLevel
    """
    How much is said to the student.
    """
    instructions: str | None
    """
    The teacher's own words.
    """
    hold_doubtful: bool
    """
    Whether scripts with marks that a person should look at wait as `graded`.
    """
    learning: bool
    """
    Whether answers that a person has checked say how the unchecked ones to the same part are marked.
    """


class NewAmendment(TypedDict):
    """
    A change of what earns the marks of one question.
    """

    question: str
    """
    The question's number as printed, or its id where several have that number.
    """
    points: list[PointPatch]
    """
    What becomes of its points.
    """
    reviewer: NotRequired[str | None]
    """
    Who wants it. The version that it becomes names them.
    """


class NewClassScan(TypedDict):
    """
    A stack of pages of a class.
    """

    files: list[NewClassScanFile]
    """
    The pages in their order: 1 to 500 uploaded files of the purpose `answer_script`, none twice, of at most 2000 pages
    together.
    """
    split: NewClassScanSplit
    """
    How it is parted into scripts.
    """
    students: NotRequired[list[NewEnrolledStudent] | None]
    """
    Who is expected: names are found among these only, and a cover sheet of anybody else is doubted.
    """


class NewClassScanScript(TypedDict):
    """
    A script of a confirmed split.
    """

    pages: list[Page]
    """
    Its pages in their order, counted from 1 through all files of the scan.
    """
    student: NewStudent
    """
    Whose it is.
    """


class NewCovers(TypedDict):
    """
    The class that sheets are made for.
    """

    students: list[NewEnrolledStudent]
    """
    Who is expected to hand in a script: 1 to 1000, none twice.
    """


class NewGrading(TypedDict):
    """
    How scripts are judged.
    """

    strictness: NotRequired[Strictness | None]
    feedback: NotRequired[FeedbackLevel | None]
    instructions: NotRequired[str | None]
    """
    The teacher's own words.
    """
    hold_doubtful: NotRequired[bool | None]
    """
    True: scripts with marks that a person should look at wait as `graded` until they are released by a call;
    `false` if absent.
    """
    learning: NotRequired[bool | None]
    """
    False: marks that a person gives change no others. If absent, unchecked answers follow checked ones on papers
    that are released `after_review`; `true` is for such papers only.
    """


class NewPaper(TypedDict):
    """
    A paper to be read.
    """

    title: str
    """
    The client's title.
    """
    subject_id: str
    """
    The subject it belongs to.
    """
    question_paper: FileReference
    """
    The questions, as a PDF.
    """
    marking_scheme: FileReference
    """
    What earns the marks, as a PDF.
    """
    results_release: NotRequired[ResultsRelease | None]
    grading: NotRequired[NewGrading | None]
    external_id: NotRequired[str | None]
    """
    The client's own reference, unique among its papers.
    """
    metadata: NotRequired[dict[str, str]]
    """
    The client's own notes: at most 50 keys of 1 to 40 characters, values of up to 500.
    """
    test_outcome: NotRequired[str | None]
    """
    In test mode, what happens instead of reading: `succeed`, `succeed_with_warnings`, `empty_question`, or a
    failure code.
    """


class NewRelease(TypedDict):
    """
    Which results are released.
    """

    which: WhichName
    """
    `all` graded scripts, those of which a person has `checked` every answer, or those without an answer that a
    person should look at (`unflagged`).
    """


class Paper(TypedDict):
    """
    A question paper with its marking scheme.
    """

    id: str
    """
    Its id.
    """
    object: Literal['paper']
    """
    Always `paper`.
    """
    livemode: bool
    """
    True for live mode.
    """
    title: str
    """
    The client's title.
    """
    subject_id: str
    """
    The subject it belongs to.
    """
    status: PaperStatus
    """
    Where it is in its life; it only moves forward.
    """
    failure: Failure | None
    warnings: list[PaperWarning]
    """
    What to check before approving it.
    """
    question_paper: PaperDocument
    """
    The questions.
    """
    marking_scheme: PaperDocument
    """
    What earns the marks.
    """
    question_count: int | None
    """
    How many questions were read.
    """
    total_marks: float | None
    """
    What they are worth together.
    """
    results_release: ResultsRelease
    """
    When results become final.
    """
    grading: Grading
    """
    How scripts are judged.
    """
    billing: Billing
    """
    What reading it costs.
    """
    submission_counts: SubmissionCounts
    """
    How many submissions it has, by status.
    """
    external_id: str | None
    """
    The client's own reference.
    """
    metadata: dict[str, str]
    """
    The client's own notes.
    """
    created_at: str
    """
    When it was made.
    """
    approved_at: str | None
    """
    When it was approved.
    """
    updated_at: str
    """
    When it last changed.
    """


class Data2(TypedDict):
    """
    What it is about.
    """

    object: Paper | DeletedObject
    """
    The object as it was, or what is left of it after it was deleted.
    """


class PaperEvent(TypedDict):
    """
    Something that happened.
    """

    id: str
    """
    Its id, by which repeats are known.
    """
    object: Literal['event']
    """
    Always `event`.
    """
    type: Literal['paper.awaiting_review', 'paper.ready', 'paper.failed']
    """
    What happened. New types may be added; ignore those you do not know.
    """
    livemode: bool
    """
    True for live mode.
    """
    created_at: str
    """
    When it happened.
    """
    data: Data2
    """
    What it is about.
    """


class PaperList(TypedDict):
    """
    A page of a list.
    """

    object: Literal['list']
    """
    Always `list`.
    """
    data: list[Paper]
    """
    The items of this page.
    """
    has_more: bool
    """
    True when there is a next page.
    """
    next_cursor: str | None
    """
    Pass it as `cursor` for the next page; null on the last.
    """


class PointResult(TypedDict):
    """
    What one point of the scheme earned.
    """

    text: str
    """
    In the scheme's words.
    """
    marks: float
    """
    What it is worth.
    """
    awarded: float
    """
    What it earned.
    """
    verdict: VerdictName
    """
    What the answer says about it.
    """
    evidence: list[Evidence]
    """
    The words that earned or lost it.
    """


class QuestionPart(TypedDict):
    """
    A leaf part of a question.
    """

    label: str
    """
    As printed, all levels together: "(a)(ii)".
    """
    text: str
    """
    What is asked.
    """
    marks: float | None
    """
    What it is worth; null when neither document says.
    """
    type: QuestionType
    """
    How the answer is judged.
    """
    options: list[QuestionOption]
    """
    The options of a multiple choice.
    """
    answer_key: AnswerKey | None
    page: int
    """
    Where it begins in the question paper, counted from 1.
    """


class ReportFeedback(TypedDict):
    """
    What the student is told about one question.
    """

    number: str
    """
    As printed.
    """
    feedback: str
    """
    About the whole question.
    """
    parts: list[ReportPartFeedback]
    """
    About its parts.
    """


class ReportMarking(TypedDict):
    """
    How the script was marked.
    """

    engine: str
    """
    Which engine.
    """
    engine_version: str
    """
    Its own version.
    """
    models: list[ReportModel]
    """
    The models that it used.
    """
    strictness: Strictness
    """
    How readily a doubtful answer earned its mark.
    """
    feedback: FeedbackLevel
    """
    How much is said to the student.
    """
    instructions_used: list[str]
    """
    The sentences of the teacher's instructions that were understood.
    """


class ReportPoint(TypedDict):
    """
    What one point of the scheme earned.
    """

    text: str | None
    """
    In the scheme's words; null below the feedback level `detailed`.
    """
    marks: float
    """
    What it is worth.
    """
    awarded: float
    """
    What it earned.
    """
    verdict: VerdictName
    """
    What the answer says about it.
    """
    evidence: list[Evidence]
    """
    The words that earned or lost it.
    """


class ReportQuestion(TypedDict):
    """
    The marks and the answer of one question.
    """

    number: str
    """
    As printed.
    """
    awarded: float
    """
    The marks earned.
    """
    adjusted: bool
    """
    True when a person decided about its marks.
    """
    available: float
    """
    What it could add to the score.
    """
    counted: bool
    """
    False when more questions of a group were answered than count, and others count.
    """
    answer: str
    """
    What was read.
    """
    confidence: float
    """
    How sure the engine is.
    """
    flags: list[FlagName]
    """
    What a person should know.
    """
    parts: list[ReportQuestionPart]
    """
    Empty for a question that is marked as a whole.
    """


class ReportSummary(TypedDict):
    """
    The score and what it means.
    """

    title: str
    """
    The paper's title.
    """
    score: Score
    """
    The sum over the questions.
    """
    explanation: str
    """
    The result in a few sentences.
    """
    adjusted: bool
    """
    True when a person decided about some of its marks.
    """
    no_readable_answers: bool
    """
    True when nothing in the script could be read as an answer.
    """


class Scheme(TypedDict):
    """
    By what a paper's scripts are marked.
    """

    object: Literal['scheme']
    """
    Always `scheme`.
    """
    livemode: bool
    """
    True for live mode.
    """
    paper_id: str
    """
    The paper.
    """
    version: int
    """
    The version that scripts are marked by; 1 is what was approved.
    """
    versions: list[SchemeVersion]
    """
    Every version, oldest first; none where the scheme was never amended.
    """
    outdated: int
    """
    How many graded scripts still have marks by an older version; they follow in the background.
    """


class Submission(TypedDict):
    """
    One student's script.
    """

    id: str
    """
    Its id.
    """
    object: Literal['submission']
    """
    Always `submission`.
    """
    livemode: bool
    """
    True for live mode.
    """
    paper_id: str
    """
    The paper it answers.
    """
    status: SubmissionStatus
    """
    Where it is in its life; it only moves forward.
    """
    failure: Failure | None
    no_readable_answers: bool
    """
    True when it was marked but nothing in it could be read.
    """
    student: Student
    """
    Who wrote it.
    """
    files: list[SubmissionFile]
    """
    The script.
    """
    billing: Billing
    """
    What marking it costs.
    """
    score: Score | None
    metadata: dict[str, str]
    """
    The client's own notes.
    """
    created_at: str
    """
    When it was made.
    """
    graded_at: str | None
    """
    When it was marked.
    """
    released_at: str | None
    """
    When its result became final.
    """
    updated_at: str
    """
    When it last changed.
    """


class Data3(TypedDict):
    """
    What it is about.
    """

    object: Submission | DeletedObject
    """
    The object as it was, or what is left of it after it was deleted.
    """


class SubmissionEvent(TypedDict):
    """
    Something that happened.
    """

    id: str
    """
    Its id, by which repeats are known.
    """
    object: Literal['event']
    """
    Always `event`.
    """
    type: Literal['submission.graded', 'submission.released', 'submission.failed', 'submission.adjusted']
    """
    What happened. New types may be added; ignore those you do not know.
    """
    livemode: bool
    """
    True for live mode.
    """
    created_at: str
    """
    When it happened.
    """
    data: Data3
    """
    What it is about.
    """


class SubmissionList(TypedDict):
    """
    A page of a list.
    """

    object: Literal['list']
    """
    Always `list`.
    """
    data: list[Submission]
    """
    The items of this page.
    """
    has_more: bool
    """
    True when there is a next page.
    """
    next_cursor: str | None
    """
    Pass it as `cursor` for the next page; null on the last.
    """


class Upload(TypedDict):
    """
    How to send a file's bytes: one request as described here.
    """

    method: str
    """
    Always `PUT`.
    """
    url: str | None
    """
    Takes one upload; a second gets 412. Null for a key that may not register files.
    """
    headers: UploadHeaders
    """
    The headers to send.
    """
    expires_at: str
    """
    Until when the URL works.
    """


class ClassScan(TypedDict):
    """
    A stack of pages of a class, and the scripts that it is parted into.
    """

    id: str
    """
    Its id.
    """
    object: Literal['class_scan']
    """
    Always `class_scan`.
    """
    livemode: bool
    """
    True for live mode.
    """
    paper_id: str
    """
    The paper that the scripts answer.
    """
    status: ClassScanStatus
    """
    Where it is in its life.
    """
    failure: Failure | None
    split: ClassScanSplit
    """
    How it is parted.
    """
    files: list[ClassScanFile]
    """
    The files that its pages are in.
    """
    pages: list[ClassScanPage]
    """
    What was seen of each page; empty until they were looked at.
    """
    scripts: list[ClassScanScript]
    """
    The scripts, proposed or confirmed.
    """
    absent: list[Student]
    """
    Those of the roster of whom no script was found.
    """
    expires_at: str | None
    """
    When it is deleted unless it is confirmed before; null from then on.
    """
    created_at: str
    """
    When it was made.
    """
    updated_at: str
    """
    When it last changed.
    """


class Error(TypedDict):
    """
    The body of every response that is no success.
    """

    error: ErrorMember
    """
    What went wrong.
    """


Event: TypeAlias = PaperEvent | SubmissionEvent | BalanceEvent | AccountEvent
"""
Something that happened.
"""


class EventList(TypedDict):
    """
    A page of a list.
    """

    object: Literal['list']
    """
    Always `list`.
    """
    data: list[Event]
    """
    The items of this page.
    """
    has_more: bool
    """
    True when there is a next page.
    """
    next_cursor: str | None
    """
    Pass it as `cursor` for the next page; null on the last.
    """


class File(TypedDict):
    """
    A registered file.
    """

    id: str
    """
    Its id.
    """
    object: Literal['file']
    """
    Always `file`.
    """
    livemode: bool
    """
    True for live mode.
    """
    purpose: FilePurpose
    """
    What it is for.
    """
    filename: str
    """
    The client's name for it.
    """
    content_type: FileContentType
    """
    What it is.
    """
    size_bytes: int
    """
    How many bytes it has.
    """
    status: FileStatus
    """
    Where it is in its life.
    """
    upload: Upload
    """
    Where its bytes go.
    """
    created_at: str
    """
    When it was registered.
    """


class NewClassScanConfirmation(TypedDict):
    """
    A split that is confirmed. It may be left out.
    """

    scripts: NotRequired[list[NewClassScanScript] | None]
    """
    The scripts as they are to be, in place of those that were proposed. Pages that none of them names are left out.
    """


class PartResult(TypedDict):
    """
    The marks of one part.
    """

    label: str
    """
    As printed: "(a)(ii)".
    """
    awarded: float
    """
    The sum over its points.
    """
    adjusted: bool
    """
    True when a person decided about its mark.
    """
    awarded_by_machine: float | None
    """
    What the engine gave by itself, where a person came after it; else null.
    """
    available: float
    """
    The most that it could earn.
    """
    answer: str
    """
    What was read.
    """
    feedback: str
    """
    What the student is told.
    """
    remark: str | None
    """
    What a person says to the student; `feedback` begins with it.
    """
    confidence: float
    """
    How sure the engine is.
    """
    flags: list[FlagName]
    """
    What a person should know.
    """
    points: list[PointResult]
    """
    In the scheme's order.
    """


class Question(TypedDict):
    """
    A question as it was read and reviewed.
    """

    id: str
    """
    Its id.
    """
    object: Literal['question']
    """
    Always `question`.
    """
    livemode: bool
    """
    True for live mode.
    """
    paper_id: str
    """
    The paper it belongs to.
    """
    number: str
    """
    As printed.
    """
    text: str
    """
    What is asked, without its parts' texts.
    """
    marks: float | None
    """
    What it is worth with its parts; null when neither document says.
    """
    type: QuestionType
    """
    How the answer is judged.
    """
    options: list[QuestionOption]
    """
    The options of a multiple choice.
    """
    parts: list[QuestionPart]
    """
    Every leaf part, in paper order.
    """
    answer_key: AnswerKey | None
    pages: list[int]
    """
    Where it stands in the question paper, counted from 1.
    """
    warnings: list[str]
    """
    What a reviewer should look at.
    """


class QuestionList(TypedDict):
    """
    A page of a list.
    """

    object: Literal['list']
    """
    Always `list`.
    """
    data: list[Question]
    """
    The items of this page.
    """
    has_more: bool
    """
    True when there is a next page.
    """
    next_cursor: str | None
    """
    Pass it as `cursor` for the next page; null on the last.
    """


class QuestionResult(TypedDict):
    """
    The marks of one question.
    """

    number: str
    """
    As printed.
    """
    awarded: float
    """
    The sum over its parts or points.
    """
    adjusted: bool
    """
    True when a person decided about its marks.
    """
    awarded_by_machine: float | None
    """
    What the engine gave by itself, where a person came after it; else null.
    """
    available: float
    """
    What it could add to the score.
    """
    counted: bool
    """
    False when more questions of a group were answered than count, and others count.
    """
    answer: str
    """
    What was read.
    """
    feedback: str
    """
    What the student is told; says why a 0 is a 0 at every level.
    """
    remark: str | None
    """
    What a person says to the student about a question that is marked as a whole; `feedback` begins with it.
    """
    confidence: float
    """
    How sure the engine is.
    """
    flags: list[FlagName]
    """
    What a person should know.
    """
    parts: list[PartResult]
    """
    Empty for a question that is marked as a whole.
    """
    points: list[PointResult]
    """
    What earned the marks of a question that is marked as a whole.
    """


class ReportPartEvidence(TypedDict):
    """
    Which words earned which mark of one part.
    """

    label: str
    """
    As printed.
    """
    points: list[ReportPoint]
    """
    In the scheme's order.
    """


class Result(TypedDict):
    """
    The marks of a script with their evidence.
    """

    object: Literal['result']
    """
    Always `result`.
    """
    id: str
    """
    The submission's id with the prefix `res_`.
    """
    livemode: bool
    """
    True for live mode.
    """
    submission_id: str
    """
    The submission.
    """
    paper_id: str
    """
    Its paper.
    """
    status: ResultStatus
    """
    `provisional` until it is released.
    """
    score: Score
    """
    The sum over the questions.
    """
    explanation: str
    """
    The result in a few sentences.
    """
    no_readable_answers: bool
    """
    True when nothing in the script could be read as an answer.
    """
    adjusted: bool
    """
    True when a person decided about any of its marks.
    """
    scheme_version: int
    """
    By which version of the paper's scheme it was marked; 1 is what was approved.
    """
    questions: list[QuestionResult]
    """
    In paper order.
    """


class ReportEvidence(TypedDict):
    """
    Which words earned which mark of one question.
    """

    number: str
    """
    As printed.
    """
    points: list[ReportPoint]
    """
    Of a question that is marked as a whole.
    """
    parts: list[ReportPartEvidence]
    """
    Of its parts.
    """


class Report(TypedDict):
    """
    A report on a script. The sections that it holds are members of their own.
    """

    object: Literal['report']
    """
    Always `report`.
    """
    id: str
    """
    The submission's id with the prefix `rep_`.
    """
    livemode: bool
    """
    True for live mode.
    """
    submission_id: str
    """
    The submission.
    """
    paper_id: str
    """
    Its paper.
    """
    generated_at: str
    """
    When it was asked for.
    """
    sections: list[ReportSection]
    """
    The sections that follow. `statistics` is left out while fewer than 5 scripts of the paper are released.
    """
    summary: NotRequired[ReportSummary]
    """
    The score and what it means.
    """
    questions: NotRequired[list[ReportQuestion]]
    """
    Marks and answers, question by question.
    """
    feedback: NotRequired[list[ReportFeedback]]
    """
    What the student is told.
    """
    evidence: NotRequired[list[ReportEvidence]]
    """
    Which words earned which mark.
    """
    statistics: NotRequired[ReportStatistics]
    """
    This script against the paper's released scripts, without any name.
    """
    marking: NotRequired[ReportMarking]
    """
    How it was marked.
    """
