// Class scans: looks at how a stack was parted, moves boundaries, says whose a script is, leaves pages out, confirms.

import * as api from './marking-api.js';
import { button, freshId, h, plural } from './dom.js';

/** How often a scan that is worked on is looked at, in milliseconds. */
const LOOK_EVERY = 1500;
const STATES = {
  processing: 'Its pages are being looked at', awaiting_confirmation: 'Waits to be confirmed', confirming: 'Being submitted',
  confirmed: 'Submitted', failed: 'Could not be read',
};
const WARNINGS = {
  no_cover: 'no cover sheet before it', cover_unread: 'a cover sheet could not be read', cover_of_other_paper: 'the cover sheet is of another paper',
  unknown_student: 'not on the roster', student_twice: 'this student has an earlier script', student_by_order: 'whose it is was guessed from the order',
  name_doubtful: 'the name is doubtful', unusual_length: 'not as long as most', blank_pages: 'has blank pages',
};
const OBSTACLES = {
  submission_exists: 'This student has a script for this paper already.', insufficient_credits: 'The credits do not cover its pages.',
  credits_expired: 'The credits have expired.', pages_unreadable: 'Its pages could not be taken out of the file.',
  processing_failed: 'Something went wrong on our side. Confirm again.',
};

export async function showScans(desk, view, id) {
  if (id) await showScan(desk, view, id);
  else await showList(view);
}

async function showList(view) {
  const { scans } = await api.scans();
  const line = (scan) => h('li', { class: 'group' },
    h('a', { href: `#scans/${scan.id}` }, `Scan of ${new Date(scan.created_at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}`),
    h('p', { class: 'muted' }, `${STATES[scan.status]} · ${plural(scan.pages.length, 'page')} · ${plural(scan.scripts.length, 'script')}`));
  view.replaceChildren(h('div', { class: 'bar' }, h('h2', {}, 'Class scans')),
    scans.length ? h('ul', { class: 'scripts' }, scans.map(line)) : h('p', { class: 'muted' }, 'No stack of scripts was scanned for this paper.'));
}

async function showScan(desk, view, id) {
  const { scan, students } = await api.scan(id);
  const again = () => {
    if (location.hash === `#scans/${id}`) showScan(desk, view, id).catch(desk.fail);
  };
  if (scan.status === 'awaiting_confirmation') {
    new Split(desk, view, scan, students, again).render();
    return;
  }
  const done = scan.scripts.filter((script) => script.submission_id).length;
  const told = scan.failure?.message ?? `${done} of ${plural(scan.scripts.length, 'script')} submitted.`;
  view.replaceChildren(h('div', { class: 'bar' }, h('h2', {}, 'Class scan')),
    h('p', { role: 'status' }, `${STATES[scan.status]}. ${scan.status === 'processing' ? '' : told}`),
    h('a', { class: 'button', href: '#scans' }, 'All class scans'));
  if (['processing', 'confirming'].includes(scan.status)) setTimeout(again, LOOK_EVERY);
}

/** The split as a person changes it: stretches of pages, each with a student and the pages that are left out. */
class Split {
  constructor(desk, view, scan, students, again) {
    Object.assign(this, { desk, view, scan, students, again });
    this.leftOut = new Set(scan.pages.map(({ page }) => page));
    const starts = new Map([[1, {}]]);
    for (const script of scan.scripts) {
      script.pages.forEach((page) => this.leftOut.delete(page));
      const first = Math.min(...script.pages);
      // A cover sheet stands with the pages that follow it.
      const hasCover = first > 1 && scan.pages[first - 2].is_cover;
      starts.set(hasCover ? first - 1 : first, { ...script, external: script.student?.external_id ?? '', name: script.student?.name ?? '' });
    }
    this.starts = starts;
  }

  stretches() {
    const firsts = [...this.starts.keys()].sort((one, other) => one - other);
    return firsts.map((first, index) => {
      const end = firsts[index + 1] ?? this.scan.pages.length + 1;
      const pages = Array.from({ length: end - first }, (_, offset) => first + offset);
      return { first, pages, used: pages.filter((page) => !this.leftOut.has(page)), own: this.starts.get(first) };
    });
  }

  render(focus) {
    const stretches = this.stretches();
    const scripts = stretches.filter(({ used, own }) => used.length && !own.submission_id);
    const blank = this.scan.pages.filter(({ page, is_blank }) => is_blank && !this.leftOut.has(page));
    const list = freshId('students');
    this.view.replaceChildren(
      h('div', { class: 'bar' }, h('h2', {}, 'Class scan'),
        h('a', { class: 'button', href: '#scans' }, 'All class scans'),
        button(`Leave out ${plural(blank.length, 'blank page')}`, () => {
          blank.forEach(({ page }) => this.leftOut.add(page));
          this.render('confirm-split');
        }, { disabled: !blank.length }),
        button(`Confirm ${plural(scripts.length, 'script')}`, () => this.confirm(scripts), { class: 'button primary', id: 'confirm-split', disabled: !scripts.length })),
      h('p', { class: 'muted' }, 'Every script becomes a submission and is charged like any other. Nothing is submitted before you confirm.'),
      this.scan.absent.length ? h('p', {}, `No script of: ${this.scan.absent.map((one) => one.name ?? one.external_id).join(', ')}.`) : '',
      h('datalist', { id: list }, this.students.map((one) => h('option', { value: one.external_id }, one.name ?? ''))),
      h('ol', { class: 'scripts' }, stretches.map((stretch, index) => this.script(stretch, index, list))));
    if (focus) document.getElementById(focus)?.focus();
  }

  script({ first, pages, used, own }, index, list) {
    const title = used.length ? `Script ${index + 1}: ${plural(used.length, 'page')}` : `Nothing to submit on ${plural(pages.length, 'page')}`;
    const id = freshId('script');
    const doubts = [...(own.warnings ?? []).map((warning) => WARNINGS[warning]), ...(own.obstacle ? [OBSTACLES[own.obstacle]] : [])];
    const isFixed = Boolean(own.submission_id);
    const field = (name, label, attributes) => h('div', { class: 'field' }, h('label', { for: `${id}-${name}` }, label),
      h('input', { id: `${id}-${name}`, maxlength: 255, autocomplete: 'off', value: own[name] ?? '', oninput: (event) => { own[name] = event.target.value; }, ...attributes }));
    const choose = (event) => {
      own.external = event.target.value;
      const known = this.students.find((one) => one.external_id === own.external);
      if (known?.name) {
        own.name = known.name;
        document.getElementById(`${id}-name`).value = known.name;
      }
    };
    return h('li', { class: `scan-script${isFixed ? ' is-submitted' : doubts.length ? ' is-doubtful' : ''}` },
      h('h3', { id }, isFixed ? `${title}, submitted` : title),
      doubts.length ? h('p', {}, doubts.map((doubt) => [h('span', { class: 'flag' }, doubt), ' '])) : null,
      used.length && !isFixed ? h('div', { class: 'bar' },
        field('external', 'Student’s reference', { list, required: true, onchange: choose }), field('name', 'Name')) : null,
      h('ul', { class: 'scan-pages', 'aria-labelledby': id }, pages.map((page) => this.page(page, first, isFixed))));
  }

  page(page, first, isFixed) {
    const { is_cover: isCover, is_blank: isBlank } = this.scan.pages[page - 1];
    const kind = isCover ? ', cover sheet' : isBlank ? ', blank' : '';
    const isOut = this.leftOut.has(page);
    const own = `page-${page}`;
    const toggle = () => {
      if (isOut) this.leftOut.delete(page);
      else this.leftOut.add(page);
      this.render(own);
    };
    const boundary = `boundary-${page}`;
    const part = () => {
      this.starts.set(page, {});
      this.render(boundary);
    };
    const join = () => {
      this.starts.delete(page);
      this.render(boundary);
    };
    return h('li', { class: `scan-page${isOut ? ' is-left-out' : ''}` },
      h('img', { src: api.scanPageUrl(this.scan.id, page), alt: `Picture of page ${page}${kind}`, loading: 'lazy', decoding: 'async', width: 700, height: 990 }),
      h('label', {}, h('input', { type: 'checkbox', id: own, checked: !isOut, disabled: isFixed, onchange: toggle }), `Page ${page}${kind}`),
      isFixed || page === 1 ? null : page === first
        ? button(`Join page ${page} with the script before`, join, { id: boundary })
        : button(`Begin a script at page ${page}`, part, { id: boundary }));
  }

  async confirm(scripts) {
    const nameless = scripts.find(({ own }) => !own.external?.trim());
    if (nameless) {
      this.desk.announce(`Say whose script begins at page ${nameless.used[0]}.`, true);
      return;
    }
    const wanted = scripts.map(({ used, own }) => ({
      pages: used, student: { external_id: own.external.trim(), name: own.name?.trim() || null },
    }));
    try {
      await api.confirmScan(this.scan.id, wanted);
      this.desk.announce(`${plural(wanted.length, 'script')} on the way to be marked`);
      this.again();
    } catch (problem) {
      this.desk.fail(problem);
    }
  }
}
