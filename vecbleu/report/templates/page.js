'use strict';
// Shows segments in pages of 50, searched, filtered and sorted, with two systems side by side.

const PAGE = 50;
// Tokens are separated by Python's white space.
const TOKENS = /[^\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/gu;
// Control characters except tabs and line ends, and unpaired surrogates.
const UNSEEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u{d800}-\u{dfff}]/gu;

const byId = (id) => document.getElementById(id);

// Each block has one line of JSON per segment, which is parsed when it is shown.
const scripts = [...document.querySelectorAll('script[type="application/json"]')];
const blocks = new Map(scripts.map(({ id, textContent }) => [id, textContent.trim().split('\n')]));
const numbers = JSON.parse(blocks.get('numbers')[0]);
const { names, scores, lengths, labels, groups } = numbers;
const state = { first: 0, second: 1, order: [], page: 0, target: -1 };

// Return a segment's entry of a block; undefined without such a block.
const entry = (id, segment) => (blocks.has(id) ? JSON.parse(blocks.get(id)[segment]) : undefined);

/** Return a new element with a class; content is text, never markup. */
function element(tag, className, ...content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...content);
  return made;
}

// Link to a segment and two systems: `pair` is "0/1" for the best two.
const linkTo = (line, pair) => Object.assign(element('a', '', `${line}`), { href: `#segment-${line}/${pair}` });

// Format a number with its sign; the minus is as wide as a plus.
const signed = (value, digits) => (value > 0 ? '+' : '') + value.toFixed(digits).replace('-', '−');
const difference = (segment) => scores[state.first][segment] - scores[state.second][segment];

/** Return the tokens of a text that was cut into pieces, with their places; a single string has none. */
function tokensOf(pieces) {
  const tokens = [];
  let start = 0;
  for (const piece of pieces instanceof Array ? pieces : []) {
    for (const { 0: text, index } of piece.matchAll(TOKENS)) {
      const word = numbers.lowercase ? text.toLowerCase() : text;
      tokens.push({ word, start: start + index, end: start + index + text.length });
    }
    start += piece.length;
  }
  return tokens;
}

const wordsOf = (pieces) => tokensOf(pieces).map(({ word }) => word);
const ngrams = (words, order) => words.slice(order - 1).map((_, at) => words.slice(at, at + order).join(' '));

function counts(values) {
  const found = new Map();
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  return found;
}

/** Return the order of the longest match that covers each word, at most 4. */
function matchedOrders(words, references) {
  const orders = words.map(() => 0);
  for (let order = 1; order <= Math.min(numbers.maxOrder, 4); order++) {
    const left = new Map();
    for (const reference of references) {
      for (const [ngram, count] of counts(ngrams(reference, order))) {
        left.set(ngram, Math.max(count, left.get(ngram) ?? 0));
      }
    }
    ngrams(words, order).forEach((ngram, place) => {
      const count = left.get(ngram) ?? 0;
      if (count > 0) orders.fill(order, place, place + order);
      left.set(ngram, count - 1);
    });
  }
  return orders;
}

/** Return whether each word of two texts differs from the other, aligned as by Python's difflib; nothing for unknown tokens. */
function differing(pieces, otherPieces) {
  if (!(pieces instanceof Array && otherPieces instanceof Array)) return [[], []];
  const [words, others] = [wordsOf(pieces), wordsOf(otherPieces)];
  const differs = [words.map(() => true), others.map(() => true)];
  const indices = new Map();  // of each word in the other text
  others.forEach((word, index) => indices.set(word, [...(indices.get(word) ?? []), index]));
  // Keep the longest run of words that both parts share, then what is left and right of it.
  const align = (start, stop, first, last) => {
    let [length, end, otherEnd] = [0, 0, 0];
    let runs = new Map();  // lengths of the runs that end at a word of the other text
    for (let index = start; index < stop; index++) {
      const longer = new Map();
      for (const at of indices.get(words[index]) ?? []) {
        if (at < first || at >= last) continue;
        longer.set(at, (runs.get(at - 1) ?? 0) + 1);
        if (longer.get(at) > length) [length, end, otherEnd] = [longer.get(at), index + 1, at + 1];
      }
      runs = longer;
    }
    if (!length) return;
    differs[0].fill(false, end - length, end);
    differs[1].fill(false, otherEnd - length, otherEnd);
    align(start, end - length, first, otherEnd - length);
    align(end, stop, otherEnd, last);
  };
  align(0, words.length, 0, others.length);
  return differs;
}

/** Return a paragraph with a text; `classes` has the class of each token. */
function paragraph(pieces, classes = []) {
  const text = [pieces].flat().join('');
  const made = Object.assign(element('p', 'text'), { dir: 'auto' });
  let start = 0;
  const show = (end, className) => {
    const piece = text.slice(start, end).replace(UNSEEN, (found) => '\\u' + found.charCodeAt(0).toString(16).padStart(4, '0'));
    if (piece) made.append(className ? element('span', className, piece) : piece);
    start = end;
  };
  tokensOf(classes.length ? pieces : '').forEach((token, place, tokens) => {
    if (!place || classes[place] !== classes[place - 1]) show(token.start, '');
    if (classes[place] !== classes[place + 1] || place + 1 === tokens.length) show(token.end, classes[place]);
  });
  show(text.length, '');
  if (!text) made.append(element('em', 'soft', 'empty'));
  return made;
}

// Return a text below its name; the name stays in view while a long text is scrolled.
const named = (name, score, text) =>
  element('div', '', element('div', 'head', element('bdi', 'name', name), score), text);

/** Return the output of a system; `changed` tells whether each word differs from the other output. */
function outputOf(system, segment, references, changed = []) {
  const score = scores[system][segment].toFixed(1);
  const pieces = entry(`outputs-${system}`, segment) ?? '(no text in this report)';
  const words = wordsOf(pieces);
  const orders = matchedOrders(words, references.map(wordsOf));
  const classes = words.map((_, place) => `order-${orders[place]}${changed[place] ? ' changed' : ''}`);
  return named(names[system], score, paragraph(pieces, classes));
}

/** Return a reference; words that one or both of the two systems missed have classes. */
function referenceOf(pieces, name, segment) {
  const [one, other] = [state.first, state.second].map((system) => differing(pieces, entry(`outputs-${system}`, segment))[0]);
  const classOf = (_, place) => ['', 'missed-1', 'missed-2', 'missed-3'][(one[place] ? 1 : 0) + (other[place] ? 2 : 0)];
  return named(name, '', paragraph(pieces, wordsOf(pieces).map(classOf)));
}

function makeSegment(segment) {
  const { first, second } = state;
  const facts = element('div', 'facts', linkTo(segment + 1, `${first}/${second}`));
  if (labels.length) facts.append(element('bdi', '', labels[groups[segment]]));
  const change = element('span', 'difference', `difference ${signed(difference(segment), 1)}`);
  facts.append(element('span', '', `${lengths[segment]} token${lengths[segment] === 1 ? '' : 's'}`), change);
  const given = element('div', 'given');
  const source = entry('source', segment);
  if (source !== undefined) given.append(named('Source', '', paragraph(source)));
  const references = entry('references', segment) ?? [];
  references.forEach((pieces, place) => {
    given.append(referenceOf(pieces, references.length > 1 ? `Reference ${place + 1}` : 'Reference', segment));
  });
  const output = (system, changed) => outputOf(system, segment, references, changed);
  const changed = differing(entry(`outputs-${first}`, segment), entry(`outputs-${second}`, segment));
  const two = element('div', 'two', output(first, changed[0]), output(second, changed[1]));
  const rest = [...names.keys()].filter((one) => byId('others').checked && one !== first && one !== second);
  const others = element('div', 'others', ...rest.map((system) => output(system)));
  const made = element('article', segment === state.target ? 'segment target' : 'segment', facts, given, two, others);
  return Object.assign(made, { id: `segment-${segment + 1}` });
}

/** Return a text in lower case, with one form of accented letters. */
const folded = (text) => text.normalize('NFC').toLowerCase();

/** Texts of each segment, read at the first search. */
let haystacks;
function searched(segment) {
  const textOf = (id, place) => [entry(id, place)].flat(3).join('');
  const read = (place) => [...blocks.keys()].slice(1).map((id) => textOf(id, place)).join('\n');
  haystacks ??= lengths.map((_, place) => folded(read(place)));
  return haystacks[segment];
}

/** Return a test for each filter that is set. */
function filters() {
  const found = [];
  const label = byId('label').selectedIndex - 1;
  const sign = [undefined, 1, -1, 0][byId('gains').selectedIndex];
  const [shortest, longest] = [byId('shortest'), byId('longest')].map((one) => one.valueAsNumber);
  const text = folded(byId('search').value);
  if (label >= 0) found.push((segment) => groups[segment] === label);
  if (sign !== undefined) found.push((segment) => Math.sign(difference(segment)) === sign);
  if (shortest >= 0) found.push((segment) => lengths[segment] >= shortest);
  if (longest >= 0) found.push((segment) => lengths[segment] <= longest);
  if (text) found.push((segment) => searched(segment).includes(text));
  return found;
}

/** Return the sort orders: name, and number of each segment; the lowest number comes first. */
function sorts() {
  const found = [['line', (segment) => segment]];
  for (const [system, sign] of [[state.first, -1], [state.second, 1]]) {
    const [name, own] = [names[system], scores[system]];
    found.push([`difference: ${name} gains most`, (segment) => sign * difference(segment)]);
    found.push([`score of ${name}, lowest first`, (segment) => own[segment]]);
    found.push([`score of ${name}, highest first`, (segment) => -own[segment]]);
  }
  return found;
}

/** Filter and sort the segments, and show the first page. */
function refresh() {
  const all = filters();
  const key = sorts()[byId('sort').selectedIndex][1];
  const passing = [...lengths.keys()].filter((segment) => all.every((passes) => passes(segment)));
  state.order = passing.sort((one, other) => key(one) - key(other) || one - other);
  showPage(0);
}

function showPage(page) {
  const last = Math.max(Math.ceil(state.order.length / PAGE) - 1, 0);
  state.page = page;
  const made = state.order.slice(page * PAGE, (page + 1) * PAGE).map(makeSegment);
  byId('list').replaceChildren(...(made.length ? made : ['No segment passes all filters.']));
  for (const button of document.querySelectorAll('.pages button')) {
    button.disabled = page === (button.value === '1' ? last : 0);
  }
  const [shown, all] = [state.order.length, lengths.length].map((count) => count.toLocaleString('en'));
  const segments = shown === all ? `${all} segments` : `${shown} of ${all} segments`;
  byId('status').textContent = `${segments}, page ${page + 1} of ${last + 1}`;
}

/** Fill a select element with options. */
function fill(id, texts) {
  const chosen = Math.max(byId(id).selectedIndex, 0);
  byId(id).replaceChildren(...texts.map((text) => element('option', '', text)));
  byId(id).selectedIndex = chosen;
}

/** Show which of the two systems wins, and name them in the controls. */
function showPair() {
  for (const id of ['first', 'second']) byId(id).selectedIndex = state[id];
  const [one, other] = [names[state.first], names[state.second]];
  fill('gains', ['all segments', `${one} is better`, `${other} is better`, 'both score the same']);
  fill('sort', sorts().map(([text]) => text));
  document.querySelector('.missed-1').textContent = one;
  document.querySelector('.missed-2').textContent = other;
  const signs = counts(lengths.map((_, segment) => Math.sign(difference(segment))));
  const [wins, ties, losses] = [1, 0, -1].map((sign) => signs.get(sign) ?? 0);
  byId('outcome').replaceChildren(
    element('bdi', 'name', one), ` against `, element('bdi', 'name', other), `: ${numbers.tests[state.first][state.second]}. `,
    `In sentence ${numbers.metric}, ${wins} won, ${ties} tied, ${losses} lost.`,
  );
  byId('histogram').replaceChildren(histogram());
}

function drawn(tag, attributes, ...content) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...content);
  return made;
}

/** Return bars of the number of segments by difference, in steps of ten points; ties have a bar of their own. */
function histogram() {
  const bars = new Array(21).fill(0);
  lengths.forEach((_, segment) => {
    const change = difference(segment);
    bars[10 + Math.sign(change) * Math.ceil(Math.abs(change) / 10)]++;
  });
  const most = Math.max(...bars);
  const rects = bars.map((count, place) => {
    const height = (60 * count) / most;
    const kind = ['less', 'same', 'more'][1 + Math.sign(place - 10)];
    const shape = { class: kind, x: 16 * place, y: 62 - height, width: 14, height };
    return drawn('rect', shape, drawn('title', {}, `${count} segments`));
  });
  const ticks = [[15, '−100'], [89, '−50'], [167, '0'], [247, '+50'], [318, '+100']];
  const texts = ticks.map(([x, text]) => drawn('text', { class: 'tick', x, y: 76 }, text));
  return drawn('svg', { viewBox: '0 0 336 80', role: 'img', 'aria-label': 'Histogram' }, ...rects, ...texts);
}

/** Choose one of the two systems; if it is the other one already, swap the two. */
function choosePair(changed, other) {
  const chosen = byId(changed).selectedIndex;
  if (chosen === state[other]) state[other] = state[changed];
  state[changed] = chosen;
  showPair();
  refresh();
}

/** Show the segment and the systems in the address; clear the filters if they hide the segment. */
function followLink() {
  const [line, first, second] = (/^#segment-([\d/]+)$/.exec(location.hash)?.[1] ?? '').split('/').map(Number);
  const segment = line - 1;
  if (!(segment >= 0 && segment < lengths.length)) return;
  state.target = segment;
  if (first !== second && names[first] !== undefined && names[second] !== undefined) {
    Object.assign(state, { first, second });
    showPair();
    refresh();
  }
  if (!state.order.includes(segment)) {
    for (const id of ['search', 'shortest', 'longest']) byId(id).value = '';
    for (const id of ['label', 'gains']) byId(id).selectedIndex = 0;
    refresh();
  }
  showPage(Math.floor(state.order.indexOf(segment) / PAGE));
  byId(`segment-${segment + 1}`).scrollIntoView();
}

for (const cell of document.querySelectorAll('#ngrams td:last-child')) {
  const { pair } = cell.closest('details').dataset;
  cell.replaceChildren(...cell.textContent.split(', ').flatMap((line) => [linkTo(line, pair), ' ']));
}
for (const [id, other] of [['first', 'second'], ['second', 'first']]) {
  fill(id, names);
  byId(id).addEventListener('change', () => choosePair(id, other));
}
fill('label', ['all', ...labels]);
byId('label-choice').hidden = !labels.length;
byId('others-choice').hidden = names.length < 3;
byId('others').checked = names.length < 5;
byId('others').addEventListener('change', () => showPage(state.page));
byId('controls').addEventListener('input', (event) => event.target.matches('#first, #second') || refresh());
byId('controls').addEventListener('submit', (event) => event.preventDefault());
for (const button of document.querySelectorAll('.pages button')) {
  button.addEventListener('click', () => {
    showPage(state.page + Number(button.value));
    byId('legend').scrollIntoView();
  });
}
showPair();
refresh();
window.addEventListener('hashchange', followLink);
document.addEventListener('click', (event) => {
  // Following the same link again does not change the address.
  if (event.target.closest('a')?.hash === location.hash) followLink();
});
followLink();
document.documentElement.dataset.ready = 'yes';
