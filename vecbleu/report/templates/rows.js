// Rows of the list: a segment with its texts and scores.

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

/** The cells of one line: number, label, tokens and difference. */
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
