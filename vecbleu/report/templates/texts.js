// Text of segments: what matched, what differs, and what can't be seen, as elements.

// Longer texts are cut, and shown whole at a click.
const LONG_TEXT = 2000;

// Words of more than this are not compared one by one: that takes the product of both numbers.
const MOST_COMPARED = 400;

// Words are between spaces; letters of scripts that are written without spaces are words each.
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

// Control characters but tabs and ends of lines, and halves of surrogate pairs.
const UNSEEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u{d800}-\u{dfff}]/gu;

/** A new element with a class and a text, which never becomes markup. */
function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/** The text with escape sequences for what can't be seen. */
function visible(text) {
  return text.replace(UNSEEN, (found) => '\\u' + found.charCodeAt(0).toString(16).padStart(4, '0'));
}

/** Ends and orders of the runs of an encoded text: "c7a4" is [[7, 2], [11, 0]]. */
function decodedMarks(code) {
  let end = 0;
  return Array.from(code.matchAll(/([a-z])(\d+)/g), ([, letter, size]) => {
    end += Number(size);
    return [end, letter.charCodeAt(0) - 97];
  });
}

/** Words of a text with their starts. */
function wordsOf(text) {
  return Array.from(text.matchAll(WORDS), (found) => ({ start: found.index, word: found[0] }));
}

/** Which words (booleans) are not in the longest common subsequence with another text's words. */
function differing(words, others) {
  const width = others.length + 1;
  const lengths = new Uint16Array((words.length + 1) * width);
  for (let i = words.length - 1; i >= 0; i--) {
    for (let j = others.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        words[i].word === others[j].word
          ? lengths[(i + 1) * width + j + 1] + 1
          : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  const differs = new Array(words.length).fill(true);
  for (let i = 0, j = 0; i < words.length && j < others.length; ) {
    if (words[i].word === others[j].word) {
      differs[i++] = false;
      j++;
    } else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) i++;
    else j++;
  }
  return differs;
}

/** Ends of runs, and whether the words in them differ from another text's. */
function decodedChanges(text, other) {
  const words = wordsOf(text);
  const others = wordsOf(other);
  if (words.length > MOST_COMPARED || others.length > MOST_COMPARED) return [];
  const differs = differing(words, others);
  const runs = [];
  words.forEach(({ start, word }, place) => {
    if (differs[place]) runs.push([start, false], [start + word.length, true]);
  });
  return runs;
}

/** Put a text into an element, cut where its runs of marks and changes end. */
function fillText(parent, text, marks, changes, limit) {
  const stop = Math.min(text.length, limit);
  let start = 0;
  for (let m = 0, c = 0; start < stop; ) {
    while (m < marks.length && marks[m][0] <= start) m++;
    while (c < changes.length && changes[c][0] <= start) c++;
    const order = m < marks.length ? marks[m][1] : 0;
    const differs = c < changes.length && changes[c][1];
    const end = Math.min(marks[m]?.[0] ?? stop, changes[c]?.[0] ?? stop, stop);
    const piece = visible(text.slice(start, end));
    if (order || differs) {
      const classes = [order && `order-${Math.min(order, 4)}`, differs && 'changed'];
      parent.append(element('span', classes.filter(Boolean).join(' '), piece));
    } else parent.append(piece);
    start = end;
  }
}

/** A paragraph with a text; a long one is cut, with a button that shows all of it. */
function paragraph(text, code, other) {
  const made = element('p', 'text');
  made.dir = 'auto';
  const marks = code ? decodedMarks(code) : [];
  const changes = other === undefined || other === text ? [] : decodedChanges(text, other);
  if (text.length <= LONG_TEXT) {
    fillText(made, text, marks, changes, text.length);
    if (!text) made.append(element('em', 'empty', 'empty'));
    return made;
  }
  // Not between the halves of a surrogate pair.
  const limit = LONG_TEXT - /[\ud800-\udbff]/.test(text[LONG_TEXT - 1]);
  fillText(made, text, marks, changes, limit);
  const more = element('button', 'more', `… show all ${text.length.toLocaleString('en')} characters`);
  more.type = 'button';
  more.addEventListener('click', () => {
    made.replaceChildren();
    fillText(made, text, marks, changes, text.length);
  });
  made.append(more);
  return made;
}
