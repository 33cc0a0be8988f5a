'use strict';
// Shows segments in pages, searched, filtered and sorted, with two systems side by side. What is
// shown stands in the address, such as #first=1&second=3&wins=-1&segment=12; all numbers are from 1,
// but those of groups and bars.

const [PAGE, NGRAMS] = [50, 12];
const MOST_SEGMENTS = 10000;  // whose n-grams are listed
// Tokens are separated by Python's white space.
const SPACE = String.raw`\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;
const TOKENS = new RegExp(`[^${SPACE}]+`, 'gu');
// Words are those of Python's `word_changes`: letters of Chinese and Japanese, marks, and words without the marks around them.
const LETTERS = String.raw`\u2e80-\u2fff\u3001-\u30ff\u31f0-\u9fff\uf900-\ufaff\uff00-\uff9f\u{20000}-\u{3ffff}`;
const MARKS = String.raw`!-&(-,.\/:-@\[-^_\x60{-~¡¿«»„“”‚‘…–—`;
const INSIDE = `[^${SPACE}${LETTERS}${MARKS}]`;
const WORD = new RegExp(`[${LETTERS}${MARKS}]|${INSIDE}(?:[^${SPACE}${LETTERS}]*${INSIDE})?`, 'gu');
// Control characters except tabs and line ends, and unpaired surrogates.
const UNSEEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u{d800}-\u{dfff}]/gu;

// What is counted of an n-gram that an output has `count` times, and a reference at most `limit` times.
const KINDS = {
  match: ['matched', 'matches more often', (count, limit) => Math.min(count, limit)],
  over: ['overused', 'overuses', (count, limit) => Math.max(count - limit, 0)],
  under: ['missed', 'misses more often', (count, limit) => Math.max(limit - count, 0)],
};

const byId = (id) => document.getElementById(id);

// Each block has one line of JSON per segment, which is parsed when it is shown.
const scripts = [...document.querySelectorAll('script[type="application/json"]')];
const blocks = new Map(scripts.map(({ id, textContent }) => [id, textContent.trim().split('\n')]));
const numbers = JSON.parse(blocks.get('numbers')[0]);
const { names, scores, lengths, metric } = numbers;
const groupings = numbers.groupings.map(([by, labels, groups]) => ({ by, labels, groups }));
const [, source, target] = /^(.*?)-(.*)$/.exec(document.documentElement.dataset.languages) ?? ['', '', ''];  // languages
const state = { first: 0, second: 1, view: null, order: [], page: 0, target: -1 };
let address = new URLSearchParams();

// Return a segment's entry of a block; undefined without such a block.
const entry = (id, segment) => (blocks.has(id) ? JSON.parse(blocks.get(id)[segment]) : undefined);

/** Return a new element with a class; content is text, never markup. */
function element(tag, className, ...content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...content);
  return made;
}

/** Return a button that changes what is shown, or does something else. */
function button(className, changes, content, clicked = () => show(changes)) {
  const made = Object.assign(element('button', className, content), { type: 'button' });
  made.addEventListener('click', clicked);
  return made;
}

/** Change some parts of the address, and show what it says. */
function go(changes, method = 'pushState') {
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') address.delete(name);
    else address.set(name, value);
  }
  history[method](null, '', `#${address}`);
  render();
}

/** Show other segments, from the first page on. */
function show(changes, method) {
  go({ page: '', segment: '', ...changes }, method);
  byId('segments').scrollTop = 0;
  byId('segments').scrollIntoView();
}

// Format a number with its sign; the minus is as wide as a plus.
const signed = (value, digits) => (value > 0 ? '+' : '') + value.toFixed(digits).replace('-', '−');
const difference = (segment) => scores[state.first][segment] - scores[state.second][segment];
// Return the bar of the histogram that counts a segment: 0 for ties, else up to ten on each side.
const barOf = (segment) => Math.sign(difference(segment)) * Math.ceil(Math.abs(difference(segment)).toFixed(3) / 10);

/** Return the tokens of a text that was cut into pieces, with their places; a single string has none. */
function tokensOf(pieces) {
  const tokens = [];
  let start = 0;
  const add = (text, index, word) => tokens.push({ word: numbers.lowercase ? word.toLowerCase() : word, start: start + index, end: start + index + text.length });
  for (const piece of pieces instanceof Array ? pieces : []) {
    const [text, token] = [piece].flat();
    if (token !== undefined) add(text, 0, token);  // an entity and its character
    else for (const { 0: word, index } of text.matchAll(TOKENS)) add(word, index, word);
    start += text.length;
  }
  return tokens;
}

const textOf = (pieces) => [pieces].flat().map((piece) => [piece].flat()[0]).join('');
const wordsOf = (pieces) => tokensOf(pieces).map(({ word }) => word);
const ngrams = (words, order) => words.slice(order - 1).map((_, at) => words.slice(at, at + order).join(' '));

function counts(values) {
  const found = new Map();
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  return found;
}

/** Return the largest count of each n-gram in any reference. */
function limitsOf(references, order) {
  const rows = references.flatMap((words) => [...counts(ngrams(words, order))]);
  return new Map(rows.sort(([, one], [, other]) => one - other));  // the last one stays
}

/** Return the order of the longest match that covers each word, at most 4. */
function matchedOrders(words, references) {
  const orders = words.map(() => 0);
  for (let order = 1; order <= Math.min(numbers.maxOrder, 4); order++) {
    const left = limitsOf(references, order);
    ngrams(words, order).forEach((ngram, place) => {
      const count = left.get(ngram) ?? 0;
      if (count > 0) orders.fill(order, place, place + order);
      left.set(ngram, count - 1);
    });
  }
  return orders;
}

/** Return whether each token of two texts has a word that differs, aligned as by Python's `word_changes`. */
function differing(...both) {
  if (both.includes(undefined)) return [[], []];
  const places = both.map((pieces) => [...textOf(pieces).matchAll(WORD)]);
  const [words, others] = places.map((matches) => matches.map(([word]) => word));
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
  return both.map((pieces, side) => tokensOf(pieces).map(({ start, end }) => (
    places[side].some(({ 0: word, index }, place) => differs[side][place] && index < end && index + word.length > start)
  )));
}

/** Return a paragraph with a text; `classes` has the class of each token. */
function paragraph(pieces, lang, classes = []) {
  const text = textOf(pieces);
  const made = Object.assign(element('p', 'text'), { dir: 'auto', lang });
  let start = 0;
  const add = (end, className) => {
    const piece = text.slice(start, end).replace(UNSEEN, (found) => '\\u' + found.charCodeAt(0).toString(16).padStart(4, '0'));
    if (piece) made.append(className ? element('span', className, piece) : piece);
    start = end;
  };
  tokensOf(classes.length ? pieces : '').forEach((token, place, tokens) => {
    if (!place || classes[place] !== classes[place - 1]) add(token.start, '');
    if (classes[place] !== classes[place + 1] || place + 1 === tokens.length) add(token.end, classes[place]);
  });
  add(text.length, '');
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
  return named(names[system], score, paragraph(pieces, target, classes));
}

/** Return a reference; words that one or both of the two systems missed have classes. */
function referenceOf(pieces, name, segment) {
  const [one, other] = [state.first, state.second].map((system) => differing(pieces, entry(`outputs-${system}`, segment))[0]);
  const classOf = (_, place) => ['', 'missed-1', 'missed-2', 'missed-3'][(one[place] ? 1 : 0) + (other[place] ? 2 : 0)];
  return named(name, '', paragraph(pieces, target, wordsOf(pieces).map(classOf)));
}

/** Put a segment into the address, and copy it where the browser allows that. */
async function copyAddress(segment) {
  go({ segment: segment + 1 });
  await navigator.clipboard?.writeText(location.href).catch(() => {});
  byId('status').textContent = `Segment ${segment + 1} is in the address`;
}

function makeSegment(segment) {
  const { first, second } = state;
  const href = `#${new URLSearchParams({ first: first + 1, second: second + 1, segment: segment + 1 })}`;
  const link = Object.assign(element('a', '', `Segment ${segment + 1}`), { href });
  const facts = element('div', 'facts', element('h3', '', link));
  for (const { by, groups, labels } of groupings) if (by === 'label') facts.append(element('bdi', '', labels[groups[segment]]));
  const change = element('span', 'difference', `difference ${signed(difference(segment), 1)}`);
  facts.append(element('span', '', `${lengths[segment]} token${lengths[segment] === 1 ? '' : 's'}`), change, button('link', {}, 'Copy address', () => copyAddress(segment)));
  const given = element('div', 'given');
  const original = entry('source', segment);
  if (original !== undefined) given.append(named('Source', '', paragraph(original, source)));
  const references = entry('references', segment) ?? [];
  references.forEach((pieces, place) => {
    given.append(referenceOf(pieces, references.length > 1 ? `Reference ${place + 1}` : 'Reference', segment));
  });
  const output = (system, changed) => outputOf(system, segment, references, changed);
  const changed = differing(entry(`outputs-${first}`, segment), entry(`outputs-${second}`, segment));
  const two = element('div', 'two', output(first, changed[0]), output(second, changed[1]));
  const rest = [...names.keys()].filter((system) => byId('others').checked && system !== first && system !== second);
  const others = element('div', 'others', ...rest.map((system) => output(system)));
  const made = element('article', segment === state.target ? 'segment target' : 'segment', facts, given, two, others);
  return Object.assign(made, { id: `segment-${segment + 1}`, tabIndex: -1 });
}

/** Return a text in lower case, with one form of accented letters. */
const folded = (text) => text.normalize('NFC').toLowerCase();

/** Return the texts of a segment to search in; they are kept from the first search on. */
const haystacks = [];
function searched(segment) {
  const texts = (id) => [entry(id, segment)].flat(id === 'references' ? 1 : 0).map(textOf);
  haystacks[segment] ??= folded([...blocks.keys()].slice(1).flatMap(texts).join('\n'));
  return haystacks[segment];
}

/** Return the words of both outputs and of the references of a segment. */
const wordsOfAll = (segment) => [
  [state.first, state.second].map((system) => wordsOf(entry(`outputs-${system}`, segment))),
  (entry('references', segment) ?? []).map(wordsOf),
];

/** Return a filter of n-grams: "match/1/the cat" stands for segments in which the first system matches it more often. */
function ngramFilter(value) {
  const [, kind, more, ngram] = /^(match|over|under)\/([12])\/(.+)$/s.exec(value) ?? [];
  if (!ngram) return undefined;
  const [word, , amountOf] = KINDS[kind];
  const order = ngram.split(' ').length;
  const test = (segment) => {
    const [outputs, references] = wordsOfAll(segment);
    const limit = limitsOf(references, order).get(ngram) ?? 0;
    const [first, second] = outputs.map((words) => amountOf(counts(ngrams(words, order)).get(ngram) ?? 0, limit));
    return more === '1' ? first > second : second > first;
  };
  return [`“${ngram}” ${word} more by ${names[more === '1' ? state.first : state.second]}`, test];
}

const barName = (bar) => (bar ? `difference ${signed(10 * (bar - Math.sign(bar)), 0)} to ${signed(10 * bar, 0)}` : 'ties');
const winName = (sign) => (sign ? `${names[sign > 0 ? state.first : state.second]} wins` : 'ties');

/** Return the filters in the address: name, text, and test of a segment. */
function filters() {
  const known = {
    search: (text) => [`“${text}”`, (segment) => searched(segment).includes(folded(text))],
    wins: (sign) => /^(-1|0|1)$/.test(sign) && [winName(Number(sign)), (segment) => Math.sign(difference(segment)) === Number(sign)],
    bar: (bar) => /^-?(\d|10)$/.test(bar) && [barName(Number(bar)), (segment) => barOf(segment) === Number(bar)],
    ngram: ngramFilter,
  };
  for (const { by, labels, groups } of groupings) {
    const text = by === 'label' ? 'label' : 'reference tokens';
    known[by] = (group) => labels[group] !== undefined && [`${text} ${labels[group]}`, (segment) => groups[segment] === Number(group)];
  }
  return Object.entries(known).flatMap(([name, filter]) => {
    const made = address.has(name) && filter(address.get(name));
    return made ? [[name, ...made]] : [];
  });
}

/** Return the sort orders: name, and number of each segment; the lowest number comes first. */
function sorts() {
  const found = [['segment', (segment) => segment]];
  for (const [system, sign] of [[state.first, -1], [state.second, 1]]) {
    const [name, values] = [names[system], scores[system]];
    found.push([`difference: ${name} wins by most`, (segment) => sign * difference(segment)]);
    found.push([`score of ${name}, lowest first`, (segment) => values[segment]]);
    found.push([`score of ${name}, highest first`, (segment) => -values[segment]]);
  }
  return found;
}

/** Show what the address says. */
function render() {
  address = new URLSearchParams(location.hash.slice(1));
  const view = new URLSearchParams(address);
  for (const name of ['page', 'segment']) view.delete(name);
  if (`${view}` !== state.view) {
    state.view = `${view}`;
    const systemOf = (name) => (names[address.get(name) - 1] === undefined ? -1 : address.get(name) - 1);
    state.first = Math.max(systemOf('first'), 0);
    state.second = systemOf('second');
    if (state.second < 0 || state.second === state.first) state.second = state.first ? 0 : 1;
    const chosen = filters();
    const [, key] = sorts()[address.get('sort')] ?? sorts()[0];
    const passing = [...lengths.keys()].filter((segment) => chosen.every(([, , passes]) => passes(segment)));
    state.order = passing.sort((one, other) => key(one) - key(other) || one - other);
    showControls(chosen);
    if (document.querySelector('#ngrams details').open) showNgrams();
  }
  state.target = address.get('segment') - 1;
  const at = state.order.indexOf(state.target);
  const last = Math.max(Math.ceil(state.order.length / PAGE) - 1, 0);
  state.page = at < 0 ? Math.min(Math.max(Math.floor(address.get('page') - 1) || 0, 0), last) : Math.floor(at / PAGE);
  showPage(last);
  const made = byId(`segment-${state.target + 1}`);
  made?.scrollIntoView();
  made?.focus({ preventScroll: true });
}

function showPage(last) {
  const made = state.order.slice(state.page * PAGE, (state.page + 1) * PAGE).map(makeSegment);
  byId('list').replaceChildren(...(made.length ? made : ['No segment passes all filters.']));
  for (const turn of document.querySelectorAll('.pages button[value]')) turn.disabled = state.page === (turn.value === '1' ? last : 0);
  const [shown, all] = [state.order.length, lengths.length].map((count) => count.toLocaleString('en'));
  const segments = shown === all ? `${all} segments` : `${shown} of ${all} segments`;
  byId('status').textContent = `${segments}, page ${state.page + 1} of ${last + 1}`;
}

/** Fill a select element with options. */
function fill(id, texts, index) {
  byId(id).replaceChildren(...texts.map((text, place) => new Option(text, place, false, place === index)));
}

/** Show the pair, its wins and losses, the sort orders and the filters. */
function showControls(chosen) {
  const { first, second } = state;
  const [one, other] = [names[first], names[second]];
  fill('first', names, first);
  fill('second', names, second);
  fill('sort', sorts().map(([text]) => text), sorts()[address.get('sort')] ? Number(address.get('sort')) : 0);
  if (document.activeElement !== byId('search')) byId('search').value = address.get('search') ?? '';
  byId('chips').replaceChildren(...chosen.map(([name, text]) => {
    const chip = button('chip', { [name]: '' }, element('bdi', '', `${text} ×`));
    return Object.assign(chip, { ariaLabel: `Remove the filter: ${text}` });
  }));
  document.querySelector('.missed-1').textContent = one;
  document.querySelector('.missed-2').textContent = other;
  const signs = counts(lengths.map((_, segment) => Math.sign(difference(segment))));
  const wins = [1, 0, -1].flatMap((sign) => [button('link', { wins: `${sign}` }, `${winName(sign)}: ${signs.get(sign) ?? 0}`), ' ']);
  const [gain, interval, p] = numbers.tests[first][second];
  byId('outcome').replaceChildren(
    element('bdi', 'name', one), ' against ', element('bdi', 'name', other), `: ${gain} ${metric} (${interval}), ${p}. `,
    `Sentence ${metric}: `, ...wins,
  );
  byId('ngrams-of').replaceChildren('N-grams of ', element('bdi', 'name', one), ' and ', element('bdi', 'name', other));
  showHistogram();
}

/** Show the number of segments by difference, in steps of ten points; ties have a bar of their own. */
function showHistogram() {
  const found = counts(lengths.map((_, segment) => barOf(segment)));
  const most = Math.max(...found.values());
  byId('histogram').replaceChildren(...Array.from({ length: 21 }, (_, place) => {
    const count = found.get(place - 10) ?? 0;
    const bar = element('span', ['less', 'same', 'more'][1 + Math.sign(place - 10)]);
    bar.style.height = `${(100 * count) / most}%`;
    const made = button('bar', { bar: `${place - 10}` }, bar);
    made.title = made.ariaLabel = `${count} segments, ${barName(place - 10)}`;
    made.disabled = !count;
    return made;
  }));
}

/** Count the n-grams in some segments: by kind and n-gram, the sums of both systems, and where they differ. */
function countNgrams(segments) {
  const counted = Object.entries(KINDS).map(([kind, [, , amountOf]]) => ({ kind, amountOf, rows: new Map() }));
  for (const segment of segments) {
    const [outputs, references] = wordsOfAll(segment);
    for (let order = 1; order <= numbers.maxOrder; order++) {
      const [first, second] = outputs.map((words) => counts(ngrams(words, order)));
      const limits = limitsOf(references, order);
      for (const ngram of new Set([...first.keys(), ...second.keys(), ...limits.keys()])) {
        const [one, other, limit] = [first, second, limits].map((known) => known.get(ngram) ?? 0);
        for (const { amountOf, rows } of counted) {
          const amounts = [amountOf(one, limit), amountOf(other, limit)];
          if (!amounts[0] && !amounts[1]) continue;
          const row = rows.get(ngram) ?? rows.set(ngram, { ngram, sums: [0, 0], where: 0 }).get(ngram);
          amounts.forEach((amount, system) => { row.sums[system] += amount; });
          row.where += (amounts[0] - amounts[1]) * (segment + 1) ** 2;  // tells apart in which segments they differ
        }
      }
    }
  }
  return counted;
}

/** List the n-grams that one system has more often, as Python's `ngram_differences` does. */
function bestNgrams(rows, more) {
  const score = ({ sums }) => (sums[more] + 1) / (sums[0] + sums[1] + 2);
  const ranked = [...rows.values()].filter(({ sums }) => sums[more] > sums[1 - more]);
  const least = new Float64Array(ranked.map(score)).sort().at(-16 * NGRAMS) ?? 0;
  const listed = ranked.filter((row) => score(row) >= least).map((row) => ({ ...row, words: row.ngram.split(' ') }));
  listed.sort((one, other) => score(other) - score(one) || other.sums[more] - one.sums[more] || other.words.length - one.words.length);
  const phrases = [];
  for (const { words, ...row } of listed) {
    const isSame = (phrase) => `${phrase.sums}` === `${row.sums}`;
    const last = phrases.at(-1);
    const follows = words.length === numbers.maxOrder && last && isSame(last) && last.where === row.where;
    if (follows && last.ngram.endsWith(` ${words.slice(0, -1).join(' ')}`)) last.ngram += ` ${words.at(-1)}`;
    else if (phrases.some((phrase) => isSame(phrase) && ` ${phrase.ngram} `.includes(` ${row.ngram} `))) continue;
    else if (phrases.length === NGRAMS) break;
    else phrases.push(row);
  }
  return phrases;
}

/** List the n-grams in which the two systems differ, in the segments that pass the other filters. */
function showNgrams() {
  const { first, second } = state;
  const tests = filters().filter(([name]) => name !== 'ngram');
  const segments = [...lengths.keys()].filter((segment) => tests.every(([, , passes]) => passes(segment)));
  const hasTexts = blocks.has(`outputs-${first}`) && blocks.has(`outputs-${second}`);
  const counted = segments.slice(0, hasTexts ? MOST_SEGMENTS : 0);
  const part = counted.length < segments.length ? `the first ${counted.length.toLocaleString('en')} of ` : '';
  byId('ngrams-note').textContent = hasTexts ? `Segments: ${part}${segments.length.toLocaleString('en')}.` : 'There are no texts to compare.';
  byId('lists').replaceChildren(...(hasTexts ? countNgrams(counted) : []).flatMap(({ kind, rows }) => [0, 1].map((more) => {
    const pair = more ? [second, first] : [first, second];
    const lines = bestNgrams(rows, more).map(({ ngram, sums }) => {
      const heading = element('th', 'left', button('link', { ngram: `${kind}/${more + 1}/${ngram}` }, ngram));
      return element('tr', '', Object.assign(heading, { scope: 'row' }), element('td', '', sums[more]), element('td', '', sums[1 - more]));
    });
    const titles = ['n-gram', ...pair.map((system) => names[system])];
    const head = titles.map((title, place) => Object.assign(element('th', place ? '' : 'left', title), { scope: 'col' }));
    const caption = element('caption', '', element('bdi', 'name', names[pair[0]]), ` ${KINDS[kind][1]}`);
    return element('table', 'numbers', caption, element('thead', '', element('tr', '', ...head)), element('tbody', '', ...lines));
  })));
}

/** Save the segments that pass the filters as tab-separated values, in their order. */
function exportSegments() {
  const systems = [...names.keys()];
  const titles = ['segment', ...groupings.map(({ by }) => by), ...systems.map((system) => `${metric} of ${names[system]}`)];
  const rows = [[...titles, 'source', 'references', ...systems.map((system) => names[system])]];
  for (const segment of state.order) {
    const groups = groupings.map((grouping) => grouping.labels[grouping.groups[segment]]);
    const texts = [entry('source', segment) ?? '', (entry('references', segment) ?? []).map(textOf).join(' ||| ')];
    const outputs = systems.map((system) => textOf(entry(`outputs-${system}`, segment) ?? ''));
    rows.push([segment + 1, ...groups, ...systems.map((system) => scores[system][segment]), ...texts, ...outputs]);
  }
  const escaped = (cell) => `${cell}`.replace(/[\\\t\n\r]/g, (found) => JSON.stringify(found).slice(1, -1));
  const lines = rows.map((row) => `${row.map(escaped).join('\t')}\n`);
  const href = URL.createObjectURL(new Blob(lines, { type: 'text/tab-separated-values' }));
  Object.assign(element('a'), { href, download: 'segments.tsv' }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
}

for (const table of document.querySelectorAll('#groups table')) {
  const by = table.querySelector('th').textContent;
  table.querySelectorAll('tbody th').forEach((cell, group) => cell.replaceChildren(button('link', { [by]: `${group}` }, cell.textContent)));
}
for (const [id, other] of [['first', 'second'], ['second', 'first']]) {
  byId(id).addEventListener('change', () => {
    const chosen = byId(id).selectedIndex;
    const swapped = chosen === state[other] ? state[id] : state[other];
    go({ [id]: chosen + 1, [other]: swapped + 1, wins: '', bar: '', ngram: '', page: '', segment: '' });
  });
}
byId('others-choice').hidden = names.length < 3;
byId('others').addEventListener('change', () => go({}, 'replaceState'));
byId('sort').addEventListener('change', () => go({ sort: byId('sort').selectedIndex || '', page: '', segment: '' }));
byId('export').addEventListener('click', exportSegments);
let typing;
byId('search').addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(() => go({ search: byId('search').value, page: '', segment: '' }, 'replaceState'), 200);
});
byId('controls').addEventListener('submit', (event) => event.preventDefault());
document.querySelector('#ngrams details').addEventListener('toggle', (event) => event.target.open && showNgrams());
for (const turn of document.querySelectorAll('.pages button[value]')) {
  turn.addEventListener('click', () => {
    go({ page: state.page + 1 + Number(turn.value), segment: '' });
    byId('status').scrollIntoView();
  });
}
document.addEventListener('keydown', (event) => {
  const step = { n: 1, p: -1 }[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey || event.target.matches('select, input:not([type="checkbox"])')) return;
  const at = state.order.indexOf(state.target);
  const segment = state.order[at < 0 ? state.page * PAGE : at + step];
  if (segment !== undefined) go({ segment: segment + 1, page: '' }, 'replaceState');
});
document.addEventListener('click', (event) => {
  const hash = event.target.closest('a')?.hash;
  if (event.target.closest('nav')) {
    event.preventDefault();  // the address keeps what is shown
    document.querySelector(hash).scrollIntoView();
  } else if (hash && hash === location.hash) render();  // following the same link again does not change the address
});
window.addEventListener('hashchange', render);
render();
document.documentElement.dataset.ready = 'yes';
