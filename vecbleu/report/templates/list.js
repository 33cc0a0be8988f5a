// A list of which only the rows in view are in the document. Heights of rows vary: those of rows
// that have been seen are measured, others are estimated.

// Browsers do not lay out more pixels than some tens of millions; a longer list is scrolled faster.
const MOST_PIXELS = 12e6;

// Pixels above and below the view for which there are rows, too.
const MARGIN = 600;

// Rows that are printed.
const PRINTED = 100;

class RowList {
  /** A list in `box`, with rows that `makeRow(segment)` makes; `before` covers its upper part. */
  constructor(box, makeRow, before) {
    Object.assign(this, { box, makeRow, before, order: [], rows: new Map() });
    this.tops = new Float64Array(1);
    this.estimate = 200;
    this.heights = [];
    window.addEventListener('scroll', () => this.update(), { passive: true });
    new ResizeObserver(() => this.resized()).observe(box);
    this.observer = new ResizeObserver(() => this.update());
  }

  /** Show other segments, or the same in another order. */
  show(order) {
    this.order = order;
    this.redraw();
  }

  /** Make all rows anew. */
  redraw() {
    this.drop(() => true);
    this.heights = new Float64Array(this.order.length);
    this.layOut();
    this.update();
  }

  /** Measure all rows anew where the width has changed, and keep the first one in view. */
  resized() {
    if (this.isPrinting || this.width === this.box.clientWidth) return;
    this.width = this.box.clientWidth;
    this.heights.fill(0);
    // What is above the list has another height, too.
    if (this.first) this.scrollTo(this.first);
    else this.update();
  }

  /** Put the first rows one below the other, for paper, or let the list scroll again. */
  print(isPrinting) {
    this.isPrinting = isPrinting;
    this.drop(() => true);
    this.box.classList.toggle('printed', isPrinting);
    if (isPrinting) this.insert(0, Math.min(PRINTED, this.order.length));
    else this.update();
  }

  /** Where rows begin: sums of their heights. */
  layOut() {
    const size = this.order.length;
    const tops = this.tops.length === size + 1 ? this.tops : new Float64Array(size + 1);
    for (let k = 0; k < size; k++) tops[k + 1] = tops[k] + (this.heights[k] || this.estimate);
    this.tops = tops;
    this.scale = Math.min(1, MOST_PIXELS / Math.max(tops[size], 1));
    this.box.style.height = `${tops[size] * this.scale}px`;
  }

  /** The first place whose row ends below `y`. */
  find(y) {
    let low = 0;
    let high = this.order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.tops[middle + 1] > y) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The distance in the list from its top to the top of the view. */
  viewTop() {
    const hidden = this.before.getBoundingClientRect().bottom - this.box.getBoundingClientRect().top;
    return Math.max(0, hidden) / this.scale;
  }

  /** Put the rows in view into the document, and take others out of it. */
  update() {
    if (this.isPrinting) return;
    if (this.width !== this.box.clientWidth) {
      this.resized();
      return;
    }
    for (let round = 0; round < 4; round++) {
      const view = this.viewTop();
      const first = this.find(view - MARGIN);
      const last = Math.min(this.order.length, this.find(view + window.innerHeight + MARGIN) + 1);
      this.drop((place) => place < first || place >= last);
      this.insert(first, last);
      if (!this.measure(first, last, view)) break;
    }
    this.place();
  }

  /** Take rows out of the document. */
  drop(isOut) {
    for (const [place, row] of this.rows) {
      if (!isOut(place)) continue;
      this.observer.unobserve(row);
      row.remove();
      this.rows.delete(place);
    }
  }

  /** Put rows into the document that are not in it, in their order. */
  insert(first, last) {
    for (let place = first; place < last; place++) {
      if (this.rows.has(place)) continue;
      const row = this.makeRow(this.order[place], place);
      this.rows.set(place, row);
      this.box.insertBefore(row, this.box.children[place - first] ?? null);
      this.observer.observe(row);
    }
  }

  /** Measure rows, and keep the first one in view where it is; whether heights have changed. */
  measure(first, last, view) {
    let hasChanged = false;
    for (let place = first; place < last; place++) {
      const height = this.rows.get(place).offsetHeight;
      if (height && height !== this.heights[place]) {
        this.heights[place] = height;
        hasChanged = true;
      }
    }
    if (!hasChanged) return false;
    const anchor = this.find(view);
    const before = this.tops[anchor];
    let known = 0;
    for (let place = first; place < last; place++) known += this.heights[place];
    this.estimate = this.isEstimated ? this.estimate : known / (last - first);
    this.isEstimated = true;
    this.layOut();
    if (view > 0) window.scrollBy(0, (this.tops[anchor] - before) * this.scale);
    return true;
  }

  /** Write where the rows in the document stand. */
  place() {
    const view = this.viewTop();
    this.first = Math.min(this.find(view + 1), this.order.length - 1);
    const shift = view * this.scale - view;
    for (const [place, row] of this.rows) row.style.top = `${this.tops[place] + shift}px`;
  }

  /** Scroll to a place, whose row is then measured and in the document; returns the row. */
  scrollTo(place) {
    for (let round = 0; round < 3; round++) {
      const top = this.box.getBoundingClientRect().top + window.scrollY;
      const covered = this.before.offsetHeight;
      window.scrollTo(0, Math.ceil(top - covered + this.tops[place] * this.scale));
      this.update();
    }
    return this.rows.get(place);
  }

  /** Scroll as little as needed for a place to be in view; returns its row. */
  reveal(place) {
    const row = this.rows.get(place);
    if (!row) return this.scrollTo(place);
    const { top, bottom } = row.getBoundingClientRect();
    const covered = this.before.getBoundingClientRect().bottom;
    return top < covered || bottom > window.innerHeight ? this.scrollTo(place) : row;
  }
}
