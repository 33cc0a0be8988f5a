// The segments: what is searched, filtered and sorted by, and the rows that are shown.

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
const { names, scores, effects, lengths, labels, groups } = numbers;
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

/** What an effect on the corpus score looks like: digits enough to tell small ones apart. */
function effectText(value) {
  return signed(value, Math.abs(value) < 0.0095 ? 4 : 3);
}

const difference = (segment) => scores[state.system][segment] - scores[state.baseline][segment];
const effect = (segment) => effects[state.system][segment] - effects[state.baseline][segment];

/** The columns that rows have and can be sorted by: name, what it is, the value of a segment. */
function columns() {
  const found = [['line', 'Line', (segment) => segment]];
  if (labels.length) found.push(['label', 'Label', (segment) => labels[groups[segment]]]);
  found.push(
    ['length', 'Tokens', (segment) => lengths[segment]],
    ['difference', 'Difference', difference],
    ['effect', 'Effect', effect],
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

// Which segments, in which order

/** Each segment's texts in lower case, made when something is first searched. */
let haystacks;
function searched(segment) {
  haystacks ??= new Array(size);
  haystacks[segment] ??= [
    block('source')?.[segment],
    ...[block('references')?.[segment] ?? ''].flat(),
    ...systems.map((system) => block(`outputs-${system}`)?.[segment]),
  ].filter(Boolean).join('\n').toLowerCase();
  return haystacks[segment];
}

/** Whether a segment passes each filter that is set. */
function filters() {
  const found = [];
  const text = byId('search').value.toLowerCase();
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

// Rows

/** A cell of a row. */
function cell(className, text) {
  const made = element('div', className, text);
  made.setAttribute('role', 'cell');
  return made;
}

/** A cell with what it is called, and a text. */
function textCell(className, name, score, text) {
  const made = cell(className);
  const head = element('div', 'head');
  head.append(element('bdi', 'name', name));
  if (score !== undefined) head.append(element('span', 'score', score));
  made.append(head, text);
  return made;
}

/** The cells of one line: number, label, tokens, difference and effect. */
function factCells(segment) {
  const facts = element('div', 'facts');
  const line = cell('line');
  const link = element('a', '', `${segment + 1}`);
  link.href = `#segment-${segment + 1}`;
  link.title = 'Link to this segment';
  line.append(link);
  facts.append(line);
  if (labels.length) {
    const label = cell('label');
    label.append(element('bdi', '', labels[groups[segment]]));
    facts.append(label);
  }
  const change = difference(segment);
  const kind = change > 0 ? 'more' : change < 0 ? 'less' : '';
  facts.append(
    cell('tokens', `${lengths[segment]} tokens`),
    cell(`difference ${kind}`, `difference ${signed(change, 1)}`),
    cell('effect', `effect ${effectText(effect(segment))}`),
  );
  return facts;
}

/** The row of a segment. */
function makeRow(segment, place) {
  const row = element('article', 'segment');
  row.id = `segment-${segment + 1}`;
  row.setAttribute('role', 'row');
  row.setAttribute('aria-rowindex', place + 2);
  row.tabIndex = place === state.current ? 0 : -1;
  row.append(factCells(segment));
  const given = element('div', 'given');
  const source = block('source');
  if (source) given.append(textCell('source', 'Source', undefined, paragraph(source[segment])));
  const references = [block('references')?.[segment] ?? []].flat();
  references.forEach((text, number) => {
    const name = references.length > 1 ? `Reference ${number + 1}` : 'Reference';
    given.append(textCell('reference', name, undefined, paragraph(text)));
  });
  row.append(given, outputCells(segment));
  return row;
}

/** Outputs of the systems that are shown, side by side. */
function outputCells(segment) {
  const outputs = element('div', 'outputs');
  const baseline = byId('changes').checked ? block(`outputs-${state.baseline}`)?.[segment] : undefined;
  for (const system of shownSystems()) {
    const text = block(`outputs-${system}`)?.[segment];
    const marks = byId('marks').checked ? block(`marks-${system}`)?.[segment] : undefined;
    const content =
      text === undefined
        ? element('p', 'empty', 'the text of this system is not in the report')
        : paragraph(text, marks, system === state.baseline ? undefined : baseline);
    const score = scores[system][segment].toFixed(1);
    outputs.append(textCell('output', names[system], score, content));
  }
  return outputs;
}

const list = new RowList(byId('list'), makeRow, document.querySelector('.sticky'));

// Controls

/** Write the buttons that sort. */
function showColumns() {
  const made = columns().map(([name, title]) => {
    const column = element('div', 'column');
    column.setAttribute('role', 'columnheader');
    const isOwn = name === state.sort;
    column.setAttribute('aria-sort', isOwn ? (state.isRising ? 'ascending' : 'descending') : 'none');
    const button = element('button', '');
    button.type = 'button';
    button.append(element('bdi', '', title), element('span', 'arrow', isOwn ? (state.isRising ? ' ▲' : ' ▼') : ''));
    button.addEventListener('click', () => {
      // Numbers fall at first: what is largest is what is looked for.
      const isText = name === 'line' || name === 'label';
      state.isRising = isOwn ? !state.isRising : isText;
      state.sort = name;
      refresh();
      byId('columns').querySelector(`[data-name="${name}"]`)?.focus();
    });
    button.dataset.name = name;
    column.append(button);
    return column;
  });
  byId('columns').replaceChildren(element('span', 'by', 'Sort by'), ...made);
}

/** Show what passes the filters, in its order, from the top of the list. */
function refresh() {
  state.current = 0;
  showColumns();
  const order = selected();
  byId('table').setAttribute('aria-rowcount', order.length + 1);
  byId('baseline-name').textContent = names[state.baseline];
  byId('shown-count').textContent = `${state.shown.size} of ${names.length}`;
  list.show(order);
  showCount(false);
  const top = byId('table').getBoundingClientRect().top;
  if (top < 0) window.scrollBy(0, top);
}

/** Say how many segments are shown, or printed. */
function showCount(isPrinting) {
  const count = (number) => number.toLocaleString('en');
  const shown = list.order.length;
  const all = shown === size ? `${count(size)} segments` : `${count(shown)} of ${count(size)} segments`;
  byId('status').textContent = isPrinting && shown > PRINTED ? `the first ${PRINTED} of ${all}` : all;
}

/** Put the first segments on paper, or go back. */
function printing(isPrinting) {
  list.print(isPrinting);
  showCount(isPrinting);
}

/** Call a function when nothing has happened for some milliseconds. */
function later(milliseconds, call) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(call, milliseconds);
  };
}

/** Fill a choice with names of systems. */
function fillSystems(select, chosen) {
  for (const system of numbers.ranking) {
    const option = element('option', '', names[system]);
    option.value = system;
    option.selected = system === chosen;
    select.append(option);
  }
}

/** Choose the two systems that are compared, which differ. */
function choosePair(changed, other) {
  const value = Number(byId(changed).value);
  if (value === state[other]) {
    state[other] = state[changed];
    byId(other).value = state[other];
  }
  state[changed] = value;
  for (const one of [state.system, state.baseline]) state.shown.add(one);
  showChoices();
  refresh();
}

/** Check the systems that are shown. */
function showChoices() {
  for (const box of byId('shown').querySelectorAll('input')) {
    box.checked = state.shown.has(Number(box.value));
  }
}

/** Show some systems. */
function showSystems(some) {
  state.shown = new Set(some);
  if (!columns().some(([name]) => name === state.sort)) [state.sort, state.isRising] = ['line', true];
  showChoices();
  refresh();
}

function addControls() {
  fillSystems(byId('system'), state.system);
  fillSystems(byId('baseline'), state.baseline);
  byId('system').addEventListener('change', () => choosePair('system', 'baseline'));
  byId('baseline').addEventListener('change', () => choosePair('baseline', 'system'));
  byId('label-choice').hidden = !labels.length;
  labels.forEach((label, number) => {
    const option = element('option', '', label);
    option.value = number;
    byId('label').append(option);
  });
  for (const system of numbers.ranking) {
    const box = element('input');
    Object.assign(box, { type: 'checkbox', value: system, checked: state.shown.has(system) });
    const label = element('label');
    label.append(box, ' ', element('bdi', '', names[system]));
    const item = element('li');
    item.append(label);
    byId('shown').append(item);
  }
  byId('shown').addEventListener('change', () => {
    const boxes = [...byId('shown').querySelectorAll('input:checked')];
    showSystems(boxes.map((box) => Number(box.value)));
  });
  byId('show-pair').addEventListener('click', () => showSystems([state.system, state.baseline]));
  byId('show-all').addEventListener('click', () => showSystems(systems));
  for (const id of ['label', 'gains']) byId(id).addEventListener('change', refresh);
  const soon = later(150, refresh);
  for (const id of ['search', 'shortest', 'longest']) byId(id).addEventListener('input', soon);
  for (const id of ['marks', 'changes']) byId(id).addEventListener('change', () => list.redraw());
  byId('controls').addEventListener('submit', (event) => event.preventDefault());
  for (let order = 1; order <= Math.min(numbers.orders, 4); order++) {
    const isLast = order === 4 && numbers.orders > 4;
    byId('legend').append(element('span', `order-${order}`, `${order}${isLast ? ' or more' : ''}`), ' ');
  }
}

// Links and keys

/** Show the segment that the address names, whatever the filters are; whether there is one. */
function followLink() {
  const segment = Number(/^#segment-(\d+)$/.exec(location.hash)?.[1]) - 1;
  if (!(segment >= 0 && segment < size)) return;
  if (!list.order.includes(segment)) {
    for (const id of ['search', 'shortest', 'longest', 'label']) byId(id).value = '';
    byId('gains').value = 'all';
    refresh();
  }
  goTo(list.order.indexOf(segment), true);
}

/** Move to a place of the list. */
function goTo(place, toTop) {
  if (!(place >= 0 && place < list.order.length)) return;
  const before = list.rows.get(state.current);
  if (before) before.tabIndex = -1;
  state.current = place;
  const row = toTop ? list.scrollTo(place) : list.reveal(place);
  row.tabIndex = 0;
  row.focus({ preventScroll: true });
}

/** Keys that are no text for a control. */
function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isInList = document.activeElement?.closest('#list') !== null;
  if (event.target.matches('input:not([type=checkbox]), select, textarea')) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  const step = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === '/') byId('search').focus();
  else if (step && (isInList || event.key.length === 1)) goTo(isInList ? state.current + step : state.current);
  else return;
  event.preventDefault();
}

/** Dark or light: as the system has it, until the button is pressed. */
function addTheme() {
  const button = byId('theme');
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : system.matches);
  const show = () => (button.textContent = isDark() ? 'Light' : 'Dark');
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    show();
  });
  system.addEventListener('change', show);
  button.hidden = false;
  show();
}

addTheme();
addControls();
refresh();
document.addEventListener('keydown', pressed);
byId('list').addEventListener('focusin', (event) => {
  const row = event.target.closest('.segment');
  for (const [place, one] of list.rows) if (one === row) state.current = place;
});
window.addEventListener('hashchange', followLink);
window.addEventListener('beforeprint', () => printing(true));
window.addEventListener('afterprint', () => printing(false));
followLink();
document.documentElement.dataset.ready = 'yes';
