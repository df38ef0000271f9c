// The class in figures: plots, with the numbers beside them.

import * as api from './marking-api.js';
import { h, plural } from './dom.js';

export async function showFigures(desk, view) {
  const figures = await api.statistics();
  const most = Math.max(1, ...figures.histogram.map(({ scripts }) => scripts));
  const bars = figures.histogram.map(({ from, to, scripts }) => h('tr', {},
    h('th', { scope: 'row' }, `${from} to ${to} %`), h('td', {}, String(scripts)), plot(scripts / most)));
  const questions = figures.questions.map((question) => {
    const share = question.mean === null || !question.available ? 0 : question.mean / question.available;
    return h('tr', {}, h('th', { scope: 'row' }, question.number), h('td', {}, number(question.mean), ` / ${question.available}`), plot(share),
      h('td', {}, number(question.spread)), h('td', {}, number(question.discrimination)), h('td', {}, agreement(question.agreement)));
  });
  const column = (text) => h('th', { scope: 'col' }, text);
  view.replaceChildren(
    h('h2', {}, 'Figures'),
    h('p', { class: 'muted' }, figures.scripts
      ? `${plural(figures.scripts, 'script')}, mean ${number(figures.mean)} marks, standard deviation ${number(figures.spread)}.` : 'No script is marked yet.'),
    h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Scripts by share of the marks' }, h('table', { class: 'grid' },
      h('caption', { class: 'visually-hidden' }, 'Scripts by the share of the marks that they earned'),
      h('thead', {}, h('tr', {}, column('Share of the marks'), column('Scripts'), column('Plot'))), h('tbody', {}, bars))),
    h('h2', {}, 'Questions'),
    h('p', { class: 'muted' }, 'Discrimination: how far a question parts strong scripts from weak ones, from -1 to 1. Agreement: how often machine and teacher give the same mark, on answers that were drawn at random where any of those is checked.'),
    h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Questions in figures' }, h('table', { class: 'grid' },
      h('caption', { class: 'visually-hidden' }, 'Questions in figures'),
      h('thead', {}, h('tr', {}, ['Question', 'Mean', 'Plot', 'Spread', 'Discrimination', 'Agreement'].map(column))), h('tbody', {}, questions))),
  );
}

function number(value) {
  return value === null ? '–' : String(Math.round(value * 100) / 100);
}

function agreement(found) {
  if (!found) return 'nothing checked';
  const kappa = found.kappa === null ? '' : `, κ ${number(found.kappa)}${found.kappa_low === null ? '' : ` (${number(found.kappa_low)} to ${number(found.kappa_high)})`}`;
  const exact = `${Math.round(found.exact * 100)} % of ${found.checked} (${Math.round(found.exact_low * 100)} to ${Math.round(found.exact_high * 100)} %)`;
  const basis = found.random ? 'drawn at random' : 'all that were checked';
  return [h('div', {}, `${exact}${kappa}`), h('div', { class: 'muted small' }, `${basis}; ${plural(found.more_for_half, 'more answer')} would halve the range`)];
}

function plot(share) {
  const bar = h('span', { class: 'figure-bar' });
  bar.style.width = `${Math.round(Math.min(Math.max(share, 0), 1) * 100)}%`;
  return h('td', { class: 'plot', 'aria-hidden': 'true' }, bar);
}
