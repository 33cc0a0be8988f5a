// What is chosen: systems, filters, the order, and what is marked.

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
  byId('gains').options[1].textContent = `where ${names[state.system]} is better`;
  byId('gains').options[2].textContent = `where ${names[state.baseline]} is better`;
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
