// Links to segments, keys, the theme; and what happens when the page is opened.

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
  const show = () => {
    button.textContent = isDark() ? 'Light' : 'Dark';
    button.setAttribute('aria-label', `${button.textContent} colors`);
  };
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
document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href^="#segment-"]');
  // The address does not change when it is followed again.
  if (link && link.hash === location.hash) followLink();
});
window.addEventListener('beforeprint', () => printing(true));
window.addEventListener('afterprint', () => printing(false));
followLink();
document.documentElement.dataset.ready = 'yes';
