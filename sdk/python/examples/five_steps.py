"""From two PDFs and a script to the annotated script, in five steps. Run it in the project's folder."""

import tickmark

client = tickmark.Client()  # TM_API_KEY and TM_BASE_URL

# 1. Which subject?
subject = client.subjects.list(query="biology").first()
assert subject is not None

# 2. Make a paper of a question paper and its scheme, and wait until it has been read.
paper = client.papers.create_and_wait(
    title="Biology",
    subject_id=subject["id"],
    question_paper="samples/biology/paper.pdf",
    marking_scheme="samples/biology/scheme.pdf",
)

# 3. A teacher opens the link, checks what was read and approves it; or the partner approves.
print("Review:", client.review_links.create(paper["id"], reviewer="Ms Okafor")["url"])
client.papers.approve(paper["id"])

# 4. Send a student's script: 1 to 20 PDFs, JPEGs or PNGs.
result = client.submissions.mark(
    "samples/biology/script-middling.pdf", paper_id=paper["id"], student="s-1071"
)

# 5. Marks with their evidence, and the annotated script.
print("Score:", result["score"]["awarded"], "of", result["score"]["available"])
for question in result["questions"]:
    print(question["number"], question["awarded"], "of", question["available"], question["feedback"])
client.submissions.save_report(result["submission_id"], "report.pdf")
