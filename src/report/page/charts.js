// Draws the charts of the page from the data beside them, and lets its tables be sorted.
'use strict';
(() => {
  const NS = 'http://www.w3.org/2000/svg';
  const HEIGHT = 250, RIGHT = 14, BOTTOM = 40;
  const SHAPES = [
    (x, y) => `M${x - 3} ${y}a3 3 0 1 0 6 0a3 3 0 1 0-6 0`,
    (x, y) => `M${x - 3} ${y - 3}h6v6h-6z`,
    (x, y) => `M${x} ${y - 4}l4 7h-8z`,
    (x, y) => `M${x} ${y - 4}l4 4l-4 4l-4-4z`,
  ];
  const svg = (parent, name, attributes, text) => {
    const node = parent.appendChild(document.createElementNS(NS, name));
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    return node;
  };
  const html = (parent, name, text, className) => {
    const node = parent.appendChild(document.createElement(name));
    if (text !== undefined) node.textContent = text;
    if (className) node.className = className;
    return node;
  };
  const shown = (value) => {
    if (value === null || value === undefined) return '–';
    if (Number.isInteger(value)) return String(value);
    const size = Math.abs(value);
    return size >= 100 ? value.toFixed(1) : size >= 1 ? value.toFixed(2) : String(Number(value.toPrecision(3)));
  };
  // Round numbers that cover a range, about `count` of them.
  const ticks = (low, high, count) => {
    const raw = (high - low) / Math.max(1, count);
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw * 0.999);
    const result = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) result.push(Number((i * step).toPrecision(12)));
    return result;
  };
  // 1, 2 and 5 of every power of ten, or fewer; of a logarithmic axis.
  const decades = (low, high, count) => {
    const result = [];
    for (let power = Math.floor(low); power <= high; ++power) {
      for (const digit of [1, 2, 5]) result.push(Number((digit * 10 ** power).toPrecision(3)));
    }
    const inside = result.filter((tick) => Math.log10(tick) >= low - 1e-9 && Math.log10(tick) <= high + 1e-9);
    if (inside.length <= count) return inside;
    const powers = inside.filter((tick) => Number.isInteger(Math.round(Math.log10(tick) * 1e9) / 1e9));
    return powers.filter((_, i) => i % Math.ceil(powers.length / count) === 0);
  };
  const range = (values) => {
    const finite = values.filter((v) => v !== null && v !== undefined);
    let low = Math.min(...finite), high = Math.max(...finite);
    if (low === 0 && high === 0) high = 1;
    if (low === high) { low -= Math.abs(low) * 0.1; high += Math.abs(high) * 0.1; }
    return [low, high];
  };
  const colour = (series, index) => (series.behind && series.colour === undefined ? 'var(--behind)'
    : `var(--c${(series.colour ?? index) % 8})`);

  function lines(figure, chart, visible, width) {
    const root = figure.svg;
    const place = (x) => (chart.log ? Math.log10(x) : x);
    const used = chart.series.filter((_, i) => visible[i]);
    const xs = used.flatMap((s) => s.x).concat(chart.marks.map((m) => m.x)).filter((x) => x !== null && (!chart.log || x > 0));
    const ys = used.flatMap((s) => s.y.flatMap((y, i) => (y === null ? [] : [y - (s.error?.[i] ?? 0), y + (s.error?.[i] ?? 0)])));
    if (!xs.length || !ys.length) return;
    let [x0, x1] = range(xs.map(place));
    let [y0, y1] = range(ys);
    const pad = (y1 - y0) * 0.06;
    y0 = y0 >= 0 && y0 - pad < 0 ? 0 : y0 - pad;
    y1 += pad;
    const rungs = ticks(y0, y1, 5);
    const LEFT = 30 + 6.6 * Math.max(...rungs.map((tick) => shown(tick).length));
    const TOP = [10, 22, 35][Math.min(2, chart.marks.length)];
    const x = (v) => LEFT + (place(v) - x0) / (x1 - x0) * (width - LEFT - RIGHT);
    const y = (v) => TOP + (y1 - v) / (y1 - y0) * (HEIGHT - TOP - BOTTOM);
    for (const tick of rungs) {
      svg(root, 'line', { class: 'grid', x1: LEFT, x2: width - RIGHT, y1: y(tick), y2: y(tick) });
      svg(root, 'text', { x: LEFT - 6, y: y(tick) + 4, 'text-anchor': 'end' }, shown(tick));
    }
    const base = HEIGHT - BOTTOM;
    svg(root, 'line', { class: 'axis', x1: LEFT, x2: width - RIGHT, y1: base, y2: base });
    const across = chart.log ? decades(x0, x1, Math.min(9, width / 55)) : ticks(x0, x1, Math.min(8, width / 60));
    for (const tick of across) {
      svg(root, 'line', { class: 'axis', x1: x(tick), x2: x(tick), y1: base, y2: base + 4 });
      svg(root, 'text', { x: x(tick), y: base + 16, 'text-anchor': 'middle' }, shown(tick));
    }
    svg(root, 'text', { x: (LEFT + width - RIGHT) / 2, y: HEIGHT - 6, 'text-anchor': 'middle' }, chart.x);
    svg(root, 'text', { x: 12, y: TOP + (base - TOP) / 2, 'text-anchor': 'middle', transform: `rotate(-90 12 ${TOP + (base - TOP) / 2})` }, chart.y);
    const ends = [0, 0];  // of the labels in two rows: what does not fit the lower one goes above
    for (const mark of chart.marks) {
      svg(root, 'line', { class: 'mark', x1: x(mark.x), x2: x(mark.x), y1: TOP, y2: base });
      const length = 6.6 * mark.text.length;
      const start = Math.max(0, Math.min(x(mark.x) + 3, width - length));
      const row = ends.findIndex((end) => start > end + 4);
      if (row < 0) continue;
      ends[row] = start + length;
      svg(root, 'text', { x: start, y: TOP - 7 - 13 * row }, mark.text);
    }
    chart.series.forEach((s, index) => {
      if (!visible[index]) return;
      const stroke = colour(s, index);
      const group = svg(root, 'g', { 'data-series': s.name, style: `color:${stroke}` });
      let path = '', open = false;
      const points = s.x.map((v, i) => [v, s.y[i], s.error?.[i]]).filter(([v]) => v !== null && (!chart.log || v > 0));
      for (const [v, w] of points) {
        if (w === null) { open = false; continue; }
        path += `${open ? 'L' : 'M'}${x(v).toFixed(1)} ${y(w).toFixed(1)}`;
        open = true;
      }
      svg(group, 'path', { d: path, fill: 'none', stroke: 'currentColor', 'stroke-width': s.behind ? 1.5 : 2,
        'stroke-dasharray': s.behind ? '5 4' : 'none', 'stroke-linejoin': 'round' });
      const sparse = points.length <= 24;
      for (const [v, w, error] of points) {
        if (w === null) continue;
        if (error) svg(group, 'line', { x1: x(v), x2: x(v), y1: y(w - error), y2: y(w + error), stroke: 'currentColor', opacity: 0.5 });
        if (sparse) svg(group, 'path', { class: 'point', d: SHAPES[index % SHAPES.length](x(v), y(w)), fill: s.behind ? 'var(--card)' : 'currentColor', stroke: 'currentColor' });
      }
    });
    const stops = [...new Set(used.flatMap((s) => s.x.filter((v, i) => v !== null && s.y[i] !== null && (!chart.log || v > 0))))].sort((a, b) => a - b);
    const cursor = svg(root, 'line', { class: 'cursor', y1: TOP, y2: base, visibility: 'hidden' });
    figure.stops = stops.length;
    figure.nearest = (px) => stops.reduce((best, v, i) => (Math.abs(x(v) - px) < Math.abs(x(stops[best]) - px) ? i : best), 0);
    figure.show = (i) => {
      const at = stops[i];
      cursor.setAttribute('x1', x(at)); cursor.setAttribute('x2', x(at)); cursor.setAttribute('visibility', 'visible');
      const rows = chart.series.flatMap((s, index) => {
        const found = visible[index] ? s.x.indexOf(at) : -1;
        if (found < 0 || s.y[found] === null) return [];
        return [[colour(s, index), s.name, shown(s.y[found]) + (s.error?.[found] ? ` ± ${shown(s.error[found])}` : '')]];
      });
      return [x(at), TOP + 14, `${chart.x} ${shown(at)}`, rows];
    };
    figure.hide = () => cursor.setAttribute('visibility', 'hidden');
  }

  function bars(figure, chart, visible, width) {
    const root = figure.svg;
    const used = chart.series.map((s, i) => [s, i]).filter(([, i]) => visible[i]);
    const values = used.flatMap(([s]) => s.y.map((v, i) => (v === null ? 0 : v + (s.error?.[i] ?? 0))));
    const high = Math.max(0, ...values) || 1;
    const name = Math.min(width * 0.36, 16 + 6.6 * Math.max(...chart.categories.map((c) => c.length)));
    const thick = Math.max(5, Math.min(14, 30 / Math.max(1, used.length)));
    const step = thick * used.length + 9;
    const height = chart.categories.length * step + 34;
    root.setAttribute('viewBox', `0 0 ${width} ${height}`);
    const x = (v) => name + v / high * (width - name - 44);
    for (const tick of ticks(0, high, 4)) {
      svg(root, 'line', { class: 'grid', x1: x(tick), x2: x(tick), y1: 0, y2: height - 30 });
      svg(root, 'text', { x: x(tick), y: height - 16, 'text-anchor': 'middle' }, shown(tick));
    }
    svg(root, 'text', { x: (name + width - 44) / 2, y: height - 2, 'text-anchor': 'middle' }, chart.y);
    const most = Math.max(3, Math.floor(name / 6.6) - 1);
    const groups = used.map(([s, i]) => svg(root, 'g', { 'data-series': s.name, style: `color:${colour(s, i)}` }));
    chart.categories.forEach((category, row) => {
      const top = row * step + 4;
      svg(root, 'text', { x: name - 6, y: top + thick * used.length / 2 + 4, 'text-anchor': 'end' },
        category.length > most ? `${category.slice(0, most - 1)}…` : category);
      used.forEach(([s], k) => {
        if (s.y[row] === null) return;
        svg(groups[k], 'rect', { class: 'point', x: x(0), y: top + k * thick, width: Math.max(0.5, x(s.y[row]) - x(0)), height: thick - 1, fill: 'currentColor', opacity: s.behind ? 0.45 : 0.9 });
        if (s.error?.[row]) svg(groups[k], 'line', { x1: x(Math.max(0, s.y[row] - s.error[row])), x2: x(s.y[row] + s.error[row]), y1: top + (k + 0.5) * thick, y2: top + (k + 0.5) * thick, stroke: 'var(--text)' });
        if (used.length === 1) svg(root, 'text', { x: x(s.y[row] + (s.error?.[row] ?? 0)) + 5, y: top + thick / 2 + 4 }, shown(s.y[row]));
      });
    });
    figure.stops = chart.categories.length;
    figure.nearest = (px, py) => Math.max(0, Math.min(chart.categories.length - 1, Math.floor(py / step)));
    figure.show = (i) => [name + 20, Math.min(i * step + step, height - 40), chart.categories[i],
      used.map(([s, k]) => [colour(s, k), s.name, shown(s.y[i]) + (s.error?.[i] ? ` ± ${shown(s.error[i])}` : '')])];
    figure.hide = () => {};
  }

  function dataTable(figure, chart) {
    const details = html(figure, 'details');
    html(details, 'summary', 'Data');
    details.addEventListener('toggle', () => {
      if (details.childElementCount > 1) return;
      const scroll = html(details, 'div', undefined, 'scroll');
      scroll.tabIndex = 0;
      const table = html(scroll, 'table');
      const head = html(html(table, 'thead'), 'tr');
      for (const text of [chart.categories ? '' : chart.x, ...chart.series.map((s) => s.name)]) html(head, 'th', text).scope = 'col';
      const body = html(table, 'tbody');
      const keys = chart.categories ?? [...new Set(chart.series.flatMap((s) => s.x))].sort((a, b) => a - b);
      keys.forEach((key, i) => {
        const row = html(body, 'tr');
        html(row, 'th', chart.categories ? key : shown(key)).scope = 'row';
        for (const s of chart.series) html(row, 'td', shown(s.y[chart.categories ? i : s.x.indexOf(key)]));
      });
    });
  }

  function draw(figure) {
    const chart = JSON.parse(figure.querySelector('script').textContent);
    const visible = chart.series.map(() => true);
    const node = document.createElementNS(NS, 'svg');
    node.setAttribute('role', 'img');
    node.setAttribute('tabindex', '0');
    node.setAttribute('aria-label', `${chart.title}: ${chart.series.map((s) => s.name).join(', ')}. Arrow keys show values.`);
    figure.append(node);
    figure.svg = node;
    const tip = html(figure, 'div', undefined, 'tip');
    tip.hidden = true;
    tip.setAttribute('role', 'status');
    const redraw = () => {
      const width = Math.max(260, figure.clientWidth - 28);
      node.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`);
      node.replaceChildren();
      tip.hidden = true;
      figure.show = undefined;
      (chart.categories ? bars : lines)(figure, chart, visible, width);
    };
    const point = (i) => {
      if (!figure.show || !figure.stops) return;
      figure.at = Math.max(0, Math.min(figure.stops - 1, i));
      const [x, y, title, rows] = figure.show(figure.at);
      tip.replaceChildren();
      html(tip, 'b', title);
      for (const [paint, name, value] of rows) {
        const line = html(tip, 'span');
        html(line, 'i', undefined, 'swatch').style.color = paint;
        line.append(`${name}: ${value}`);
      }
      tip.hidden = false;
      const scale = node.clientWidth / node.viewBox.baseVal.width;
      const left = node.offsetLeft ?? 14;
      tip.style.top = `${(node.getBoundingClientRect().top - figure.getBoundingClientRect().top) + y * scale}px`;
      tip.style.left = `${Math.max(0, Math.min((left || 14) + x * scale + 12, figure.clientWidth - tip.offsetWidth - 4))}px`;
    };
    const leave = () => { tip.hidden = true; figure.hide?.(); };
    node.addEventListener('pointermove', (event) => {
      const box = node.getBoundingClientRect();
      const scale = node.viewBox.baseVal.width / box.width;
      if (figure.nearest) point(figure.nearest((event.clientX - box.left) * scale, (event.clientY - box.top) * scale));
    });
    node.addEventListener('pointerleave', leave);
    node.addEventListener('blur', leave);
    node.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (event.key === 'Escape') leave();
      if (!step) return;
      event.preventDefault();
      point(figure.at === undefined || tip.hidden ? 0 : figure.at + step);
    });
    if (chart.series.length > 1) {
      const legend = html(figure, 'ul', undefined, 'legend');
      chart.series.forEach((s, i) => {
        const button = html(html(legend, 'li'), 'button');
        button.type = 'button';
        button.setAttribute('aria-pressed', 'true');
        html(button, 'i', undefined, s.behind ? 'swatch behind' : 'swatch').style.color = colour(s, i);
        button.append(s.name);
        button.addEventListener('click', () => {
          visible[i] = !visible[i];
          button.setAttribute('aria-pressed', String(visible[i]));
          redraw();
        });
      });
    }
    dataTable(figure, chart);
    let width = 0;
    new ResizeObserver(() => {
      if (figure.clientWidth === width) return;
      width = figure.clientWidth;
      redraw();
    }).observe(figure);
    redraw();
  }

  function sortable(table) {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const long = rows.some((row) => row.cells[column].textContent.length > 48);
      const cells = [head, ...rows.map((row) => row.cells[column])];
      if (long) for (const cell of cells) cell.classList.add('long');
      if (long || (rows.length && rows.every((row) => !row.cells[column].dataset.value && /[a-z]{3}/i.test(row.cells[column].textContent)))) {
        for (const cell of cells) cell.classList.add('words');
      }
      if (rows.length < 2) return;
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      if (!button.textContent) button.setAttribute('aria-label', 'sort by row');
      head.append(button);
      head.setAttribute('aria-sort', 'none');
      button.addEventListener('click', () => {
        const down = head.getAttribute('aria-sort') === 'ascending';
        for (const other of table.tHead.rows[0].cells) if (other.hasAttribute('aria-sort')) other.setAttribute('aria-sort', 'none');
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        const key = (row) => row.cells[column].dataset.value;
        const sorted = [...rows].sort((a, b) => {
          const [p, q] = [key(a), key(b)];
          if (p !== undefined && q !== undefined) return (p - q) * (down ? -1 : 1);
          if (p !== undefined || q !== undefined) return p === undefined ? 1 : -1;  // what is no number stays last
          return a.cells[column].textContent.localeCompare(b.cells[column].textContent) * (down ? -1 : 1);
        });
        body.append(...sorted);
      });
    });
  }

  for (const figure of document.querySelectorAll('.chart')) draw(figure);
  for (const table of document.querySelectorAll('main .scroll > table')) sortable(table);
})();
