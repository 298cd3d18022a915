// A benchmark's table: sort, filter, group, compare, copy. Without this script the page is complete; all controls are
// made here. Text of records reaches the page through textContent only.
(() => {
  "use strict";
  const $ = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const query = new URLSearchParams(location.search);

  function make(tag, properties = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name in node) node[name] = value;
      else node.setAttribute(name, value);
    }
    node.append(...children);
    return node;
  }

  // Metrics: ?metric= of the old addresses leads to the page of that metric; [ and ] go to the neighbours.
  const tabs = all(".tabs a");
  const current = tabs.findIndex(tab => tab.hasAttribute("aria-current"));
  const wanted = query.get("metric");
  if (wanted !== null) {
    const tab = tabs.find(one => one.dataset.key === wanted || one.dataset.label === wanted);
    query.delete("metric");
    if (tab && tab !== tabs[current]) {
      location.replace(tab.href + (query.size ? "?" + query : "") + location.hash);
      return;
    }
  }
  if (current > 1) requestAnimationFrame(() => tabs[current].parentNode.scrollTo({ left: tabs[current].offsetLeft - 40 }));

  // Sorting, of every table.
  const text = cell => {
    const copy = cell.cloneNode(true);
    all("small, .tag, svg, .more", copy).forEach(node => node.remove());
    return copy.textContent.replace(/\s+/g, " ").trim();
  };
  const compareText = new Intl.Collator("en", { numeric: true }).compare;

  // What a cell sorts by: a number, else its text; null where nothing is recorded, which stays last.
  function sortKey(cell) {
    if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
    const content = text(cell);
    if (/^(–|Not recorded|)$/.test(content)) return null;
    return /^[-+−]?[0-9]+([.][0-9]+)?$/.test(content) ? Number(content.replace("−", "-")) : content;
  }

  function sortBy(table, column, direction) {
    const sign = direction === "descending" ? -1 : 1;
    const rank = key => key === null ? 2 : typeof key === "string" ? 1 : 0;
    const rows = all("tbody tr[data-result]", table).map(row => [row, sortKey(row.cells[column])]);
    rows.sort(([, one], [, other]) => rank(one) - rank(other) ||
      (rank(one) === 0 ? sign * (one - other) : rank(one) === 1 ? sign * compareText(one, other) : 0));
    table.tBodies[0].append(...rows.map(([row]) => row));
    all("thead th", table).forEach((head, place) => {
      if (place === column) head.setAttribute("aria-sort", direction);
      else head.removeAttribute("aria-sort");
    });
  }

  for (const table of all("table.board, table.runs")) {
    for (const head of all("thead th[data-c]", table)) {
      if (head.dataset.c === "link") continue;
      const button = make("button", { type: "button" });
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const first = head.dataset.first || "ascending";
        const other = first === "ascending" ? "descending" : "ascending";
        sortBy(table, head.cellIndex, head.getAttribute("aria-sort") === first ? other : first);
        if (table === board) {
          state.group = false;
          changed();
        }
      });
    }
  }

  const board = $("table.board");
  const state = { group: false };
  if (!board) return keys();
  const body = board.tBodies[0];
  const rows = all("tr", body);
  const title = $("h1").textContent.trim();

  // A box to tick in every row.
  board.tHead.rows[0].prepend(make("th", { scope: "col", className: "box" }, make("span", { className: "unseen" }, "Pick")));
  for (const row of rows) {
    const box = make("input", { type: "checkbox", "aria-label": `Pick ${text($("th", row))}, ${text($(".value", row))}` });
    box.addEventListener("change", picked);
    row.prepend(make("td", { className: "box" }, box));
  }
  const heads = all("thead th", board);
  const place = kind => heads.findIndex(head => head.dataset.c === kind);
  const name = head => text(head).replace(/^Δ best$/, "Difference to best");

  // The tools above the table.
  const count = make("output", { className: "count", "aria-live": "polite" });
  const search = make("input", { type: "search", placeholder: "Filter rows", "aria-label": "Filter rows" });
  search.addEventListener("input", changed);
  const menu = (label, ...items) => make("details", {}, make("summary", {}, label), make("div", {}, ...items));
  const box = (label, checked, act) => {
    const input = make("input", { type: "checkbox", checked });
    input.addEventListener("change", () => act(input.checked));
    return make("label", { className: "tick-box" }, input, label);
  };
  const button = (label, act) => {
    const made = make("button", { type: "button" }, label);
    made.addEventListener("click", act);
    return made;
  };

  const facets = heads.flatMap((head, column) => {
    if (!["config", "source", "evidence", "group"].includes(head.dataset.c)) return [];
    const of = row => head.dataset.c === "group" ? row.dataset.group : text(row.cells[column]);
    const values = [...new Set(rows.map(of))].sort(compareText);
    if (values.length < 2) return [];
    const select = make("select", {}, make("option", { value: "" }, "all"));
    select.append(...values.map(value => make("option", { value }, value)));
    select.addEventListener("change", changed);
    return [{ name: name(head), of, select, label: make("label", {}, name(head), select) }];
  });

  const ranked = rows.some(row => row.cells[place("rank")].dataset.v);
  const repeated = new Set(rows.map(row => row.dataset.method)).size < rows.length;
  const best = box("Best of each method only", false, changed);
  const grouping = box("Like for like: one block per group", false, on => {
    state.group = on;
    heads.forEach(head => head.removeAttribute("aria-sort"));
    body.append(...rows);
    changed();
  });
  const bestOn = $("input", best), groupOn = $("input", grouping);
  const columns = heads.flatMap((head, column) => {
    if (!head.dataset.c || head.dataset.c === "method" || head.dataset.c === "link") return [];
    const control = box(name(head), !head.hidden, on => { show(column, on); changed(); });
    return [{ column, was: !head.hidden, control, input: $("input", control) }];
  });
  function show(column, on) {
    for (const row of board.rows) if (!row.classList.contains("grouphead")) row.cells[column].hidden = !on;
  }

  const reset = button("Reset", () => {
    search.value = "";
    facets.forEach(facet => { facet.select.value = ""; });
    bestOn.checked = state.group = false;
    columns.forEach(one => { one.input.checked = one.was; show(one.column, one.was); });
    heads.forEach(head => head.removeAttribute("aria-sort"));
    body.append(...rows);
    changed();
  });
  const tools = make("div", { className: "tools", role: "group", "aria-label": "Table tools" }, count, reset, search);
  if (facets.length) tools.append(menu("Filter", ...facets.map(facet => facet.label)));
  tools.append(menu("View", ...(ranked && repeated ? [best] : []), ...(groups().size ? [grouping] : []),
    ...(columns.length ? [make("b", {}, "Columns")] : []), ...columns.map(one => one.control)));
  tools.append(menu("Copy",
    ...["Markdown", "CSV", "LaTeX", "BibTeX"].map(form => button(`Rows as ${form}`, () => copy(form))),
    button("Link to this view", () => put(location.href, "Link"))));
  tools.append(make("button", { type: "button", "aria-label": "Keys", title: "Keys", onclick: help }, "?"));
  $(".bar").append(tools);
  document.addEventListener("click", event => {
    all(".tools details[open]").forEach(one => { if (!one.contains(event.target)) one.open = false; });
  });

  function groups() {
    return new Map(rows.filter(row => row.dataset.group).map(row => [row.dataset.group, row]));
  }

  // One place decides what is shown; everything else changes the state and calls it.
  function changed() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = facets.filter(facet => facet.select.value);
    const found = rows.filter(row => {
      const content = row.textContent.toLowerCase();
      return words.every(word => content.includes(word)) && chosen.every(facet => facet.of(row) === facet.select.value);
    });
    all(".more", body).forEach(node => node.remove());
    const shown = new Set(bestOn.checked ? collapse(found.filter(row => !row.classList.contains("fallen"))) : found);
    rows.forEach(row => { row.hidden = !shown.has(row); });
    group(shown);
    const off = found.length === rows.length && shown.size === rows.length && !state.group &&
      !columns.some(one => one.input.checked !== one.was) && !$("[aria-sort]", board);
    count.textContent = `${shown.size} of ${rows.length} rows`;
    reset.hidden = off;
    save();
  }

  function collapse(found) {
    const order = [...found].sort((one, other) => rank(one) - rank(other) || rows.indexOf(one) - rows.indexOf(other));
    const first = new Map();
    for (const row of order) {
      const same = first.get(row.dataset.method);
      if (same) same.push(row);
      else first.set(row.dataset.method, [row]);
    }
    for (const [row, ...others] of first.values()) {
      if (others.length) {
        const more = `+${others.length} ${others.length === 1 ? "configuration" : "configurations"}`;
        $("th", row).append(make("small", { className: "more quiet" }, more));
      }
    }
    return [...first.values()].map(same => same[0]);
  }
  const rank = row => Number(row.cells[place("rank")].dataset.v ?? Infinity);

  function group(shown) {
    all(".grouphead", body).forEach(node => node.remove());
    board.classList.toggle("grouped", state.group);
    groupOn.checked = state.group;
    if (!state.group) return;
    const within = row => Number(text(row.cells[place("group")]).split(" ")[1] ?? Infinity);
    const settings = new Map(all("#groups dt").map(node => [$("b", node).textContent, $("bdi", node).textContent]));
    for (const letter of groups().keys()) {
      const members = rows.filter(row => row.dataset.group === letter).sort((one, other) => within(one) - within(other));
      if (members.some(row => shown.has(row))) {
        const label = [letter, settings.get(letter) ?? "one result"].join(" · ");
        const span = heads.length;
        body.append(make("tr", { className: "grouphead" }, make("th", { colSpan: span, scope: "colgroup" }, label)));
      }
      body.append(...members);
    }
  }

  // The address holds the view, so that it can be sent to somebody.
  function save() {
    const view = new URLSearchParams();
    if (search.value) view.set("q", search.value);
    facets.forEach(facet => { if (facet.select.value) view.set(`f.${facet.name}`, facet.select.value); });
    if (bestOn.checked) view.set("best", "1");
    if (state.group) view.set("group", "1");
    const sorted = heads.find(head => head.hasAttribute("aria-sort"));
    if (sorted) view.set("sort", `${sorted.getAttribute("aria-sort") === "descending" ? "-" : ""}${name(sorted)}`);
    columns.forEach(one => { if (one.input.checked !== one.was) view.append(one.was ? "hide" : "show", name(heads[one.column])); });
    history.replaceState(null, "", location.pathname + (view.size ? "?" + view : "") + location.hash);
  }

  function load() {
    search.value = query.get("q") ?? "";
    facets.forEach(facet => { facet.select.value = query.get(`f.${facet.name}`) ?? ""; });
    facets.forEach(facet => { if (facet.select.selectedIndex < 0) facet.select.value = ""; });
    bestOn.checked = query.get("best") === "1" && ranked;
    state.group = query.get("group") === "1" && groups().size > 0;
    columns.forEach(one => {
      const asked = query.getAll(one.was ? "hide" : "show").includes(name(heads[one.column]));
      one.input.checked = one.was !== asked;
      show(one.column, one.input.checked);
    });
    const sort = query.get("sort") ?? "";
    const column = heads.findIndex(head => head.dataset.c && name(head) === sort.replace(/^-/, ""));
    if (sort && column >= 0) sortBy(board, column, sort.startsWith("-") ? "descending" : "ascending");
    changed();
  }

  // Ticked rows: compared, or copied instead of all.
  const bar = make("div", { className: "picked", role: "status", hidden: true });
  board.closest(".scroll").after(bar);
  const ticked = () => rows.filter(row => $(".box input", row).checked);
  function picked() {
    const many = ticked();
    bar.hidden = !many.length;
    bar.replaceChildren(make("span", {}, `${many.length} picked`));
    if (many.length > 1 && many.length < 5) bar.append(button("Compare", compare));
    else bar.append(make("span", { className: "quiet" }, many.length < 2 ? "pick another to compare" : "compare at most 4"));
    bar.append(button("Clear", () => { ticked().forEach(row => { $(".box input", row).checked = false; }); picked(); }));
  }

  function fields(row) {
    const found = new Map(heads.flatMap((head, column) =>
      head.dataset.c && head.dataset.c !== "link" ? [[name(head), text(row.cells[column]) || "–"]] : []));
    const full = document.getElementById(`d-${row.dataset.result}`)?.closest("article");
    for (const term of full ? all("dt", full) : []) {
      const value = term.nextElementSibling;
      if (value.dataset.metric === tabs[current]?.dataset.key) continue;
      if (!found.has(term.textContent)) found.set(term.textContent, text($("code", value) ?? value));
    }
    return found;
  }

  function compare() {
    const many = ticked().map(row => [row, fields(row)]);
    const names = [...new Set(many.flatMap(([, found]) => [...found.keys()]))].filter(field => field !== "Method" &&
      new Set(many.map(([, found]) => found.get(field))).size > 1);
    const head = make("tr", {}, make("th", { scope: "col" }, "Differs"),
      ...many.map(([row]) => make("th", { scope: "col" }, text($("th", row)))));
    const lines = names.map(field => make("tr", {}, make("th", { scope: "row" }, field),
      ...many.map(([, found]) => make("td", {}, found.get(field) ?? "–"))));
    const letters = new Set(many.map(([row]) => row.dataset.group));
    const warning = letters.size > 1 ? [make("p", { className: "warn" },
      "Not like for like: these results come from different settings, so their values cannot be compared directly.")] : [];
    dialog("Comparison", ...warning, make("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": "Comparison" },
      make("table", {}, make("thead", {}, head), make("tbody", {}, ...lines))));
  }

  // Copying: the ticked rows, else those shown, in their order on the page.
  function copy(form) {
    const chosen = ticked();
    const many = all("tr[data-result]", body).filter(row => chosen.length ? chosen.includes(row) : !row.hidden);
    if (form === "BibTeX") return copyEntries(many);
    const kept = heads.map((head, column) => column).filter(column =>
      !heads[column].hidden && heads[column].dataset.c && heads[column].dataset.c !== "link");
    const marks = many.map(row => all("th .tag", row).map(tag => tag.textContent).join(", "));
    const more = cell => marks.some(Boolean) ? [cell] : [];
    const lines = [
      [...kept.map(column => name(heads[column])), ...more("Marks")],
      ...many.map((row, at) => [...kept.map(column => text(row.cells[column])), ...more(marks[at])]),
    ];
    const numbers = [...kept.map(column => heads[column].classList.contains("num")), ...more(false)];
    put(forms[form](lines, numbers), `${many.length} ${many.length === 1 ? "row" : "rows"} as ${form}`);
  }

  const forms = {
    Markdown(lines, numbers) {
      const cells = line => `| ${line.map(cell => cell.replace(/[\\`*_[\]<>|~&#]/g, "\\$&")).join(" | ")} |`;
      const rule = numbers.map(number => number ? "--:" : "---");
      return [cells(lines[0]), `| ${rule.join(" | ")} |`, ...lines.slice(1).map(cells)].join("\n");
    },
    CSV(lines) {
      const plain = /^[-+−]?[0-9.]+(e[-+]?[0-9]+)?%?$/i;
      const safe = cell => /^[=+\-@\t\r＝＋－＠]/.test(cell) && !plain.test(cell) ? `'${cell}` : cell;
      return lines.map(line => line.map(cell => `"${safe(cell).replace(/"/g, '""')}"`).join(",")).join("\r\n");
    },
    LaTeX(lines, numbers) {
      const marks = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "−": "$-$" };
      const cell = value => value.replace(/[\\{}$&#%_~^−]/g, mark => marks[mark] ?? `\\${mark}`);
      const line = values => `  ${values.map(cell).join(" & ")} \\\\`;
      const kinds = numbers.map(number => number ? "r" : "l").join("");
      return [`% ${title.replace(/\s+/g, " ")}`, `\\begin{tabular}{${kinds}}`, "  \\hline", line(lines[0]), "  \\hline",
        ...lines.slice(1).map(line), "  \\hline", "\\end{tabular}"].join("\n");
    },
  };

  // The entry of the table and those of the sources of some rows, each once.
  function copyEntries(many) {
    const entries = new Map(all("pre[data-cite]").map(node => [node.dataset.cite, node.textContent]));
    const names = ["", ...new Set(many.map(row => row.dataset.source))];
    const found = names.map(source => entries.get(source)).filter(Boolean);
    put(found.join("\n\n"), `${found.length} BibTeX ${found.length === 1 ? "entry" : "entries"}`);
  }

  async function put(content, what) {
    try {
      await navigator.clipboard.writeText(content);
      count.textContent = `${what} copied`;
    } catch {
      const area = make("textarea", { readOnly: true, value: content, "aria-label": "Text to copy" });
      dialog(`Copy: ${what}`, area);
      area.select();
    }
  }

  function dialog(label, ...content) {
    const close = make("button", { type: "button" }, "Close");
    const made = make("dialog", { "aria-label": label }, make("h2", {}, label), ...content, make("p", {}, close));
    close.addEventListener("click", () => made.close());
    made.addEventListener("close", () => made.remove());
    document.body.append(made);
    made.showModal();
  }

  function help() {
    const pairs = [["[ and ]", "previous and next metric"], ["f", "filter the rows"], ["?", "this list"],
      ["Esc", "close what is open"], ["Tab, Space, Enter", "reach and use everything"]];
    dialog("Keys", make("dl", { className: "facts" }, ...pairs.flatMap(([key, meaning]) =>
      [make("dt", {}, make("kbd", {}, key)), make("dd", {}, meaning)])));
  }

  function keys() {
    document.addEventListener("keydown", event => {
      if (event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]")) return;
      if (event.key === "Escape") {
        const open = $(".tools details[open]");
        if (open) {
          open.open = false;
          $("summary", open).focus();
        }
      }
      if (event.target.closest("input, select, textarea")) return;
      const step = { "[": -1, "]": 1 }[event.key];
      if (step && tabs[current + step]) tabs[current + step].click();
      if (event.key === "?") help();
      if (event.key === "f" && board) {
        event.preventDefault();
        search.focus();
      }
    });
  }

  // A row and its mark in the chart point at each other; a link to a folded result opens it.
  for (const row of rows) {
    const mark = $(`.chart a[href="#${CSS.escape(row.id)}"] .dot`);
    row.addEventListener("pointerenter", () => mark?.classList.add("on"));
    row.addEventListener("pointerleave", () => mark?.classList.remove("on"));
  }
  function unfold() {
    const folded = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest("details");
    if (folded) folded.open = true;
  }
  addEventListener("hashchange", unfold);

  keys();
  load();
  unfold();
})();
