"""A class's scripts in one stack, parted by their pages. Run it in the project's folder."""

import tickmark

client = tickmark.Client()  # TM_API_KEY and TM_BASE_URL

subject = client.subjects.list(query="biology").first()
assert subject is not None
paper = client.papers.create_and_wait(
    title="Biology",
    subject_id=subject["id"],
    question_paper="samples/biology/paper.pdf",
    marking_scheme="samples/biology/scheme.pdf",
)
client.papers.approve(paper["id"])

# 1. Cover sheets to print, for those whose scripts differ in length. The samples have a page each and need none.
students = [{"external_id": "s-1071", "name": "Ada Lovelace"}, {"external_id": "s-1072", "name": "Alan Turing"}]
client.papers.save_covers(paper["id"], "covers.pdf", students=students)

# 2. Send the stack: one PDF, or several files in their order.
scan = client.class_scans.create_and_wait(
    paper["id"],
    files=["samples/biology/script-middling.pdf", "samples/biology/script-weak.pdf"],
    split={"by": "pages", "pages_per_script": 1},
    students=students,
)

# 3. Look at the split, correct it (scripts=…) where it is wrong, and confirm it.
for script in scan["scripts"]:
    print(script["student"], "pages", script["pages"], script["warnings"])
client.class_scans.confirm(scan["id"])

# 4. Each script is a submission now.
for script in client.class_scans.wait(scan["id"])["scripts"]:
    if script["submission_id"] is None:
        print("Not submitted:", script["obstacle"])
        continue
    submission = client.submissions.wait(script["submission_id"])
    score = client.submissions.result(submission["id"])["score"]
    print(submission["student"]["external_id"], score["awarded"], "of", score["available"])
