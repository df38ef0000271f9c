// Keeps the figures of the overview fresh. Every page works without it.

const EVERY_MS = 10_000;
const figures = document.querySelector('[data-live]');

async function refresh() {
  if (document.hidden) return;
  const answer = await fetch('/live.json', { redirect: 'error' });
  if (!answer.ok) return;
  for (const { name, points, ...numbers } of (await answer.json()).figures) {
    const figure = figures.querySelector(`[data-figure="${name}"]`);
    if (!figure) continue;
    figure.querySelector('polyline').setAttribute('points', points);
    for (const [of, number] of Object.entries(numbers)) figure.querySelector(`[data-of="${of}"]`).textContent = number;
  }
}

// A server that is away for a moment, or a session that has ended, leaves the last figures; the next page says why.
if (figures) setInterval(() => refresh().catch(() => {}), EVERY_MS);
