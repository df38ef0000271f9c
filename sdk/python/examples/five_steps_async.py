"""The same five steps to await, with a whole class marked at once. Run it in the project's folder."""

import asyncio
from pathlib import Path

import tickmark


async def main() -> None:
    async with tickmark.AsyncClient() as client:  # TM_API_KEY and TM_BASE_URL
        subject = await client.subjects.list(query="biology").first()
        assert subject is not None
        paper = await client.papers.create_and_wait(
            title="Biology",
            subject_id=subject["id"],
            question_paper="samples/biology/paper.pdf",
            marking_scheme="samples/biology/scheme.pdf",
        )
        await client.papers.approve(paper["id"])
        scripts = sorted(Path("samples/biology").glob("script-*.pdf"))
        results = await asyncio.gather(
            *(client.submissions.mark(script, paper_id=paper["id"], student=script.stem) for script in scripts)
        )
        for script, result in zip(scripts, results):
            print(script.stem, result["score"]["awarded"], "of", result["score"]["available"])


asyncio.run(main())
