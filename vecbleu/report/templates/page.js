'use strict';
// Shows segments in pages, searched, filtered and sorted, with two systems side by side. What is
// shown stands in the address, such as #first=1&second=3&wins=-1&segment=12; all numbers are from 1,
// but those of groups and bars.

const [PAGE, NGRAMS] = [50, 12];
const MOST_SEGMENTS = 10000;  // whose n-grams are listed
const AT_ONCE = 500;  // segments whose n-grams are counted before the page answers again
// Tokens are separated by Python's white space.
const SPACE = String.raw`\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;
const TOKENS = new RegExp(`[^${SPACE}]+`, 'gu');
const GAPS = new RegExp(`[${SPACE}]{2,}|(?! )[${SPACE}]`, 'g');  // all but single spaces
// Words are those of Python's `word_changes`: letters of Chinese and Japanese, marks, and words without the marks around them.
const LETTERS = String.raw`\u2e80-\u2fff\u3001-\u30ff\u31f0-\u9fff\uf900-\ufaff\uff00-\uff9f\u{20000}-\u{3ffff}`;
const MARKS = String.raw`!-&(-,.\/:-@\[-^_\x60{-~¡¿«»„“”‚‘…–—`;
const INSIDE = `[^${SPACE}${LETTERS}${MARKS}]`;
const WORD = new RegExp(`[${LETTERS}${MARKS}]|${INSIDE}(?:[^${SPACE}${LETTERS}]*${INSIDE})?`, 'gu');
// Control characters except tabs and line ends, and unpaired surrogates.
const UNSEEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u{d800}-\u{dfff}]/gu;

// What is counted of an n-gram that an output has `count` times, and a reference at most `limit` times.
const KINDS = new Map([
  ['match', ['matched', 'matches more often', (count, limit) => Math.min(count, limit)]],
  ['over', ['overused', 'overuses', (count, limit) => Math.max(count - limit, 0)]],
  ['under', ['missed', 'misses more often', (count, limit) => Math.max(limit - count, 0)]],
]);

const byId = (id) => document.getElementById(id);

// Each block has one line of JSON per segment, which is parsed when it is shown.
const scripts = [...document.querySelectorAll('script[type="application/json"]')];
const blocks = new Map(scripts.map(({ id, textContent }) => [id, textContent.trim().split('\n')]));
const numbers = JSON.parse(blocks.get('numbers')[0]);
const { names, scores, lengths, metric } = numbers;
const groupings = numbers.groupings.map(([by, labels, groups, largest]) => ({ by, key: `by ${by}`, labels, groups, largest }));
const [, source, target] = /^(.*?)-(.*)$/.exec(document.documentElement.dataset.languages) ?? ['', '', ''];  // languages
const state = { first: 0, second: 1, view: null, passing: [], listed: null, order: [], page: 0, target: -1 };
let address = new URLSearchParams(location.hash.slice(1));

/** Return a whole number in the address; undefined if it is none, or not from `low` to `high`. */
function wholeNumber(name, low, high) {
  const text = address.get(name) ?? '';
  const value = /^-?\d+$/.test(text) ? Number(text) : NaN;
  return value >= low && value <= high ? value : undefined;
}

/** Return the address without some of its parts. */
function addressWithout(...parts) {
  const rest = new URLSearchParams(address);
  for (const name of parts) rest.delete(name);
  return rest.toString();
}

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
  render();
  history[method](null, '', `#${address}`);  // last: browsers refuse very many, and very long addresses
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
const better = numbers.higherIsBetter ? 1 : -1;  // the sign of a difference by which the first system wins
// Return the bar of the histogram that counts a segment: 0 for ties, else up to ten on each side.
const barOf = (segment) => Math.sign(difference(segment)) * Math.min(Math.ceil(Math.abs(difference(segment)).toFixed(3) / 10), 10);

/** Return where the tokens of a text begin and end; the text was cut into pieces, or it has none. */
function tokensOf(pieces) {
  const tokens = [];
  let start = 0;
  for (const piece of pieces instanceof Array ? pieces : []) {
    const [text, token] = [piece].flat();
    const parts = token === undefined ? text.matchAll(TOKENS) : [{ 0: text, index: 0 }];  // an entity is one token
    for (const { 0: part, index } of parts) tokens.push({ start: start + index, end: start + index + part.length });
    start += text.length;
  }
  return tokens;
}

/** Return the tokens of a text in one string, each between two spaces. */
function spaced(pieces) {
  if (!(pieces instanceof Array)) return '';
  const text = pieces.map((piece) => (piece instanceof Array ? piece[1] : piece)).join(' ');
  return ` ${numbers.lowercase ? text.toLowerCase() : text} `.replace(GAPS, ' ');
}

const textOf = (pieces) => [pieces].flat().map((piece) => [piece].flat()[0]).join('');
const wordsOf = (pieces) => spaced(pieces).match(TOKENS) ?? [];
const ngrams = (words, order) => words.slice(order - 1).map((_, at) => words.slice(at, at + order).join(' '));

function counts(values) {
  const found = new Map();
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  return found;
}

/** Return the largest count of each n-gram in any reference. */
function limitsOf(references, order) {
  const limits = new Map();
  for (const words of references) {
    for (const [ngram, count] of counts(ngrams(words, order))) limits.set(ngram, Math.max(count, limits.get(ngram) ?? 0));
  }
  return limits;
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

/** Pair the words at the beginning and at the end of two texts, up to one that differs. */
function sameEnds(words, others) {
  const most = Math.min(words.length, others.length);
  let [start, end] = [0, 0];
  while (start < most && words[start] === others[start]) start++;
  while (end < most - start && words.at(-1 - end) === others.at(-1 - end)) end++;
  const pairs = [];
  for (let place = 0; place < start; place++) pairs.push([place, place]);
  for (let left = end; left > 0; left--) pairs.push([words.length - left, others.length - left]);
  return pairs;
}

/** Return at which index a number stands, or belongs, in an increasing list. */
function placeIn(increasing, number) {
  let [low, high] = [0, increasing.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (increasing[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Pair each copy of a word with the copy of the same number; keep the most that do not cross. */
function sameCopies(words, others) {
  const places = new Map();  // of the copies of each word, the first one last
  for (let place = others.length - 1; place >= 0; place--) {
    if (!places.has(others[place])) places.set(others[place], []);
    places.get(others[place]).push(place);
  }
  const [ends, runs] = [[], []];  // by length: the run that ends first in `others`, its last pair first
  words.forEach((word, place) => {
    const partner = places.get(word)?.pop();
    if (partner === undefined) return;
    const length = placeIn(ends, partner);
    ends[length] = partner;
    runs[length] = { pair: [place, partner], before: runs[length - 1] };
  });
  const pairs = [];
  for (let run = runs.at(-1); run; run = run.before) pairs.push(run.pair);
  return pairs.reverse();
}

/** Return places of the same words in two texts, which increase in both, as Python's `word_changes` does. */
function aligned(words, others) {
  let pairs = [[-1, -1], [words.length, others.length]];  // around both texts
  for (const matched of [sameEnds, sameCopies, sameEnds, sameCopies, sameEnds]) {
    const found = [pairs[0]];
    for (let index = 1; index < pairs.length; index++) {
      const [[start, first], [stop, last]] = [pairs[index - 1], pairs[index]];
      const gap = matched(words.slice(start + 1, stop), others.slice(first + 1, last));
      for (const [place, partner] of gap) found.push([start + 1 + place, first + 1 + partner]);
      found.push([stop, last]);
    }
    pairs = found;
  }
  return pairs.slice(1, -1);
}

/** Return whether each token of two texts has a word that differs. */
function differing(...both) {
  if (both.includes(undefined)) return [[], []];
  const words = both.map((pieces) => [...textOf(pieces).matchAll(WORD)]);
  const pairs = aligned(...words.map((matches) => matches.map(([word]) => word)));
  return both.map((pieces, side) => {
    const same = new Set(pairs.map((pair) => pair[side]));
    const places = words[side].map(({ 0: word, index }) => [index, index + word.length]);
    let next = 0;  // the first word that ends behind the beginning of a token
    return tokensOf(pieces).map(({ start, end }) => {
      while (next < places.length && places[next][1] <= start) next++;
      let differs = false;
      for (let at = next; at < places.length && places[at][0] < end; at++) differs ||= !same.has(at);
      return differs;
    });
  });
}

/** Return a paragraph with a text; `classes` has the class of each token. */
function paragraph(pieces, lang, classes = []) {
  const text = textOf(pieces);
  const made = new DocumentFragment();
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
  return Object.assign(element('p', 'text', made), { dir: 'auto', lang });
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
  for (const { by, groups, labels } of groupings) if (by !== 'ref_len') facts.append(element('bdi', '', labels[groups[segment]]));
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

/** Return how often a text has an n-gram. */
function countOf(ngram, pieces) {
  const text = spaced(pieces);
  let count = 0;
  for (let at = text.indexOf(` ${ngram} `); at >= 0; at = text.indexOf(` ${ngram} `, at + 1)) count++;
  return count;
}

/** Return the filter of n-grams, if any: "match/1/the cat" stands for segments in which the first system matches it more often. */
function ngramFilter(value) {
  const [, kind, number, text] = /^(match|over|under)\/([12])\/(.+)$/s.exec(value) ?? [];
  const ngram = text?.match(TOKENS)?.join(' ');
  if (!ngram) return [];
  const [word, , amountOf] = KINDS.get(kind);
  const pair = [state.first, state.second];
  const [more, less] = number === '1' ? pair : pair.reverse();
  const test = (segment) => {
    const [own, other] = [more, less].map((system) => countOf(ngram, entry(`outputs-${system}`, segment)));
    if (own === other) return false;
    const limit = Math.max(0, ...(entry('references', segment) ?? []).map((pieces) => countOf(ngram, pieces)));
    return amountOf(own, limit) > amountOf(other, limit);
  };
  return [{ name: 'ngram', text: `“${ngram}” ${word} more by ${names[more]}`, test }];
}

/** Return what a bar counts; differences of an error rate can be above 100. */
function barName(bar) {
  if (!bar) return 'ties';
  const from = signed(10 * (bar - Math.sign(bar)), 0);
  return Math.abs(bar) < 10 ? `difference ${from} to ${signed(10 * bar, 0)}` : `difference beyond ${from}`;
}
const winName = (sign) => (sign ? `${names[sign > 0 ? state.first : state.second]} wins` : 'ties');

/** Return the filters in the address but for that of n-grams: name, text, and test of a segment. */
function filters() {
  const found = [];
  for (const { by, key, labels, groups } of groupings) {
    const group = wholeNumber(key, 0, labels.length - 1);
    const text = `${by === 'ref_len' ? 'reference tokens' : by} ${labels[group]}`;
    if (group !== undefined) found.push({ name: key, text, test: (segment) => groups[segment] === group });
  }
  const sign = wholeNumber('wins', -1, 1);
  if (sign !== undefined) found.push({ name: 'wins', text: winName(sign), test: (segment) => Math.sign(difference(segment)) === sign * better });
  const bar = wholeNumber('bar', -10, 10);
  if (bar !== undefined) found.push({ name: 'bar', text: barName(bar), test: (segment) => barOf(segment) === bar });
  const text = address.get('search');
  const needle = folded(text ?? '');
  if (text) found.push({ name: 'search', text: `“${text}”`, test: (segment) => searched(segment).includes(needle) });
  return found;
}

/** Return the sort orders: name, and number of each segment; the lowest number comes first. */
function sorts() {
  const found = [['segment', (segment) => segment]];
  for (const [system, sign] of [[state.first, -1], [state.second, 1]]) {
    const [name, values] = [names[system], scores[system]];
    found.push([`difference: ${name} wins by most`, (segment) => sign * better * difference(segment)]);
    found.push([`score of ${name}, lowest first`, (segment) => values[segment]]);
    found.push([`score of ${name}, highest first`, (segment) => -values[segment]]);
  }
  return found;
}

// Return which of the sort orders is chosen.
const sortIndex = () => wholeNumber('sort', 0, sorts().length - 1) ?? 0;

/** Show what the address says. */
function render() {
  const view = addressWithout('page', 'segment');
  if (view !== state.view) {
    state.view = view;
    const [first, second] = ['first', 'second'].map((name) => wholeNumber(name, 1, names.length));
    state.first = first === undefined ? 0 : first - 1;
    state.second = second === undefined ? -1 : second - 1;
    if (state.second < 0 || state.second === state.first) state.second = state.first ? 0 : 1;
    const [chosen, ngram] = [filters(), ngramFilter(address.get('ngram') ?? '')];
    state.passing = chosen.reduce((passing, { test }) => passing.filter(test), [...lengths.keys()]);
    const [, key] = sorts()[sortIndex()];
    state.order = ngram.reduce((passing, { test }) => passing.filter(test), [...state.passing]);
    state.order.sort((one, other) => key(one) - key(other) || one - other);
    showControls([...chosen, ...ngram]);
    if (document.querySelector('#ngrams details').open) showNgrams();
  }
  const last = Math.max(Math.ceil(state.order.length / PAGE) - 1, 0);
  state.target = (wholeNumber('segment', 1, lengths.length) ?? 0) - 1;
  const at = state.order.indexOf(state.target);
  state.page = at < 0 ? (wholeNumber('page', 1, last + 1) ?? 1) - 1 : Math.floor(at / PAGE);
  showPage(last);
  const made = byId(`segment-${state.target + 1}`);
  made?.scrollIntoView();
  made?.focus({ preventScroll: true });
}

/** Read the address of the browser, and show what it says. */
function follow() {
  address = new URLSearchParams(location.hash.slice(1));
  render();
}

function showPage(last) {
  const made = state.order.slice(state.page * PAGE, (state.page + 1) * PAGE).map(makeSegment);
  byId('list').replaceChildren(...(made.length ? made : ['No segment passes all filters.']));
  for (const turn of document.querySelectorAll('.pages button[value]')) turn.disabled = state.page === (turn.value === '1' ? last : 0);
  const [shown, all] = [state.order.length, lengths.length].map((count) => count.toLocaleString('en'));
  const noun = lengths.length === 1 ? 'segment' : 'segments';
  const segments = shown === all ? `${all} ${noun}` : `${shown} of ${all} ${noun}`;
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
  fill('sort', sorts().map(([text]) => text), sortIndex());
  if (document.activeElement !== byId('search')) byId('search').value = address.get('search') ?? '';
  byId('chips').replaceChildren(...chosen.map(({ name, text }) => {
    const chip = button('chip', { [name]: '' }, element('bdi', '', `${text} ×`));
    return Object.assign(chip, { ariaLabel: `Remove the filter: ${text}` });
  }));
  document.querySelector('.missed-1').textContent = one;
  document.querySelector('.missed-2').textContent = other;
  const signs = counts(lengths.map((_, segment) => Math.sign(better * difference(segment))));
  const wins = [1, 0, -1].flatMap((sign) => [button('link', { wins: `${sign}` }, `${winName(sign)}: ${signs.get(sign) ?? 0}`), ' ']);
  byId('outcome').replaceChildren(
    element('bdi', 'name', one), ' against ', element('bdi', 'name', other), `: ${numbers.tests[first][second]}. `,
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
    const bar = element('span', ['less', 'same', 'more'][1 + better * Math.sign(place - 10)]);
    bar.style.height = `${(100 * count) / most}%`;
    const made = button('bar', { bar: `${place - 10}` }, bar);
    made.title = made.ariaLabel = `${count.toLocaleString('en')} segment${count === 1 ? '' : 's'}, ${barName(place - 10)}`;
    made.disabled = !count;
    return made;
  }));
}

/** Add the n-grams of some segments to rows by kind and n-gram: the sums of both systems, and where they differ. */
function countNgrams(segments, pair, kinds) {
  for (const segment of segments) {
    const outputs = pair.map((system) => wordsOf(entry(`outputs-${system}`, segment)));
    const references = (entry('references', segment) ?? []).map(wordsOf);
    for (let order = 1; order <= numbers.maxOrder; order++) {
      const [first, second] = outputs.map((words) => counts(ngrams(words, order)));
      const limits = limitsOf(references, order);
      for (const ngram of new Set([...first.keys(), ...second.keys(), ...limits.keys()])) {
        const [one, other, limit] = [first, second, limits].map((known) => known.get(ngram) ?? 0);
        for (const [kind, rows] of kinds) {
          const [, , amountOf] = KINDS.get(kind);
          const amounts = [amountOf(one, limit), amountOf(other, limit)];
          if (!amounts[0] && !amounts[1]) continue;
          const row = rows.get(ngram) ?? rows.set(ngram, { ngram, sums: [0, 0], where: 0 }).get(ngram);
          amounts.forEach((amount, system) => { row.sums[system] += amount; });
          row.where += (amounts[0] - amounts[1]) * (segment + 1) ** 2;  // tells apart in which segments they differ
        }
      }
    }
  }
}

/** List the n-grams that one system has more often, as Python's `ngram_differences` does. */
function bestNgrams(rows, more) {
  const score = ({ sums }) => (sums[more] + 1) / (sums[0] + sums[1] + 2);
  const ranked = [...rows.values()].filter(({ sums }) => sums[more] > sums[1 - more]);
  const least = new Float64Array(ranked.map(score)).sort().at(-16 * NGRAMS) ?? 0;
  const listed = ranked.filter((row) => score(row) >= least).map((row) => ({ ...row, words: row.ngram.split(' ') }));
  listed.sort((one, other) => score(other) - score(one) || other.sums[more] - one.sums[more] || other.words.length - one.words.length);
  const phrases = [];
  const parts = new Set();  // of the phrases, with their counts
  for (const { ngram, words, sums, where } of listed) {
    const last = phrases.at(-1);
    const joins = words.length === numbers.maxOrder && last?.where === where && `${last.sums}` === `${sums}`
      && last.words.slice(1 - words.length).join(' ') === words.slice(0, -1).join(' ');
    if (joins) last.words.push(words.at(-1));
    else if (parts.has(`${sums} ${ngram}`)) continue;
    else if (phrases.length === NGRAMS) break;
    else phrases.push({ words, sums, where });
    for (let order = 1; order < words.length; order++) {
      for (const part of ngrams(words, order)) parts.add(`${sums} ${part}`);
    }
  }
  return phrases;
}

/** List the n-grams in which the two systems differ, in the segments that pass the other filters. */
async function showNgrams() {
  const asked = addressWithout('ngram', 'sort', 'page', 'segment');
  if (asked === state.listed) return;
  state.listed = asked;
  byId('lists').setAttribute('aria-busy', 'true');
  const [pair, segments] = [[state.first, state.second], state.passing];
  const hasTexts = pair.every((system) => blocks.has(`outputs-${system}`));
  const counted = segments.slice(0, hasTexts ? MOST_SEGMENTS : 0);
  const kinds = [...KINDS.keys()].map((kind) => [kind, new Map()]);
  for (let start = 0; start < counted.length; start += AT_ONCE) {
    countNgrams(counted.slice(start, start + AT_ONCE), pair, kinds);
    await new Promise((done) => { setTimeout(done); });
    if (state.listed !== asked) return;
  }
  const part = counted.length < segments.length ? `the first ${counted.length.toLocaleString('en')} of ` : '';
  byId('ngrams-note').textContent = hasTexts ? `Segments: ${part}${segments.length.toLocaleString('en')}.` : 'There are no texts to compare.';
  byId('lists').replaceChildren(...(hasTexts ? kinds : []).flatMap(([kind, rows]) => [0, 1].map((more) => {
    const columns = more ? pair.toReversed() : pair;
    const lines = bestNgrams(rows, more).map(({ words, sums }) => {
      const ngram = words.join(' ');
      const heading = element('th', 'left', button('link', { ngram: `${kind}/${more + 1}/${ngram}` }, ngram));
      return element('tr', '', Object.assign(heading, { scope: 'row' }), element('td', '', sums[more]), element('td', '', sums[1 - more]));
    });
    const titles = ['n-gram', ...columns.map((system) => names[system])];
    const head = titles.map((title, place) => Object.assign(element('th', place ? '' : 'left', title), { scope: 'col' }));
    const caption = element('caption', '', element('bdi', 'name', names[columns[0]]), ` ${KINDS.get(kind)[1]}`);
    return element('table', 'numbers', caption, element('thead', '', element('tr', '', ...head)), element('tbody', '', ...lines));
  })));
  byId('lists').removeAttribute('aria-busy');
}

/** Return a cell of a table for spreadsheets, which run a text as a formula unless an apostrophe stands before it. */
function cellOf(value) {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : `${value}`;
  return /["\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
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
  const lines = rows.map((row) => `${row.map(cellOf).join('\t')}\n`);
  const href = URL.createObjectURL(new Blob(lines, { type: 'text/tab-separated-values' }));
  Object.assign(element('a'), { href, download: 'segments.tsv' }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
}

for (const [place, table] of document.querySelectorAll('#groups table').entries()) {
  const { key, largest } = groupings[place];
  const groupOf = (row) => largest[Math.floor(row / names.length)];
  table.querySelectorAll('tbody th').forEach((cell, row) => cell.replaceChildren(button('link', { [key]: `${groupOf(row)}` }, cell.textContent)));
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
  const step = new Map([['n', 1], ['p', -1]]).get(event.key);
  if (!step || event.ctrlKey || event.metaKey || event.altKey || event.target.matches('select, input:not([type="checkbox"])')) return;
  const at = state.order.indexOf(state.target);
  const segment = state.order[at < 0 ? state.page * PAGE : at + step];
  if (segment !== undefined) go({ segment: segment + 1, page: '' }, 'replaceState');
});
document.addEventListener('click', (event) => {
  const hash = event.target.closest('a')?.hash;
  if (event.target.closest('nav')) {
    event.preventDefault();  // the address keeps what is shown
    if (hash) document.querySelector(hash).scrollIntoView();
  } else if (hash && hash === location.hash) follow();  // following the same link again does not change the address
});
window.addEventListener('hashchange', follow);
render();
document.documentElement.dataset.ready = 'yes';
