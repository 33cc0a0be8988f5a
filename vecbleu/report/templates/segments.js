// The segments: what they are searched, filtered and sorted by.

const byId = (id) => document.getElementById(id);

/** The data of a block, read when they are first needed; undefined where there are none. */
const blocks = new Map();
function block(id) {
  if (!blocks.has(id)) {
    const script = byId(id);
    blocks.set(id, script ? JSON.parse(script.textContent) : undefined);
  }
  return blocks.get(id);
}

const numbers = block('numbers');
const { names, scores, lengths, labels, groups } = numbers;
const size = lengths.length;
const systems = names.map((_, system) => system);
const state = {
  system: numbers.best,
  baseline: numbers.second,
  shown: new Set(numbers.ranking.filter((one) => numbers.shown[one]).slice(0, 4)),
  sort: 'line',
  isRising: true,
  current: 0, // the place of the row that keys move from
};

/** A number with its sign, a minus as wide as a plus. */
function signed(value, digits) {
  return (value > 0 ? '+' : '') + value.toFixed(digits).replace('-', '−');
}

const difference = (segment) => scores[state.system][segment] - scores[state.baseline][segment];

/** The columns that rows have and can be sorted by: name, what it is, the value of a segment. */
function columns() {
  const found = [['line', 'Line', (segment) => segment]];
  if (labels.length) found.push(['label', 'Label', (segment) => labels[groups[segment]]]);
  found.push(
    ['length', 'Tokens', (segment) => lengths[segment]],
    ['difference', 'Difference', difference],
  );
  for (const system of shownSystems()) {
    found.push([`score-${system}`, names[system], (segment) => scores[system][segment]]);
  }
  return found;
}

/** The systems that are shown, the compared ones first and the others as they rank. */
function shownSystems() {
  const pair = [state.system, state.baseline].filter((one) => state.shown.has(one));
  const others = numbers.ranking.filter((one) => state.shown.has(one) && !pair.includes(one));
  return [...pair, ...others];
}

/** What is searched for and in: lower case, and one form of letters with accents. */
const folded = (text) => text.normalize('NFC').toLowerCase();

/** Each segment's texts, made when something is first searched. */
let haystacks;
function searched(segment) {
  haystacks ??= new Array(size);
  haystacks[segment] ??= [
    block('source')?.[segment],
    ...[block('references')?.[segment] ?? ''].flat(),
    ...systems.map((system) => block(`outputs-${system}`)?.[segment]),
  ].filter(Boolean).map(folded).join('\n');
  return haystacks[segment];
}

/** Whether a segment passes each filter that is set. */
function filters() {
  const found = [];
  const text = folded(byId('search').value);
  const label = byId('label').value;
  const gains = byId('gains').value;
  const [shortest, longest] = [byId('shortest'), byId('longest')].map((one) => one.valueAsNumber);
  const sign = { up: 1, down: -1, same: 0 }[gains];
  if (label !== '') found.push((segment) => groups[segment] === Number(label));
  if (sign !== undefined) found.push((segment) => Math.sign(difference(segment)) === sign);
  if (shortest >= 0) found.push((segment) => lengths[segment] >= shortest);
  if (longest >= 0) found.push((segment) => lengths[segment] <= longest);
  if (text) found.push((segment) => searched(segment).includes(text));
  return found;
}

/** Numbers of segments that pass, sorted; equal ones by line. */
function selected() {
  const all = filters();
  const order = [];
  for (let segment = 0; segment < size; segment++) {
    if (all.every((passes) => passes(segment))) order.push(segment);
  }
  const value = columns().find(([name]) => name === state.sort)?.[2];
  if (state.sort === 'line' || !value) return state.isRising ? order : order.reverse();
  const values = new Map(order.map((segment) => [segment, value(segment)]));
  const sign = state.isRising ? 1 : -1;
  const compare =
    state.sort === 'label'
      ? (one, other) => values.get(one).localeCompare(values.get(other))
      : (one, other) => values.get(one) - values.get(other);
  return order.sort((one, other) => sign * compare(one, other) || one - other);
}
