// The search box of every page: "/" or Ctrl-K opens it. Its data are scripts, loaded when it is first used, so that it
// works from a disk too. Record text reaches the page through textContent only.
"use strict";
(() => {
  const ROOT = new URL("../", document.currentScript.src);
  const LIMIT = 40; // results shown
  const MAX_FILES = 12; // files of search data loaded for one query
  const NAMES = { sota: "Benchmark", task: "Task", metric: "Metric", dataset: "Dataset", method: "Method", paper: "Paper" };
  const button = document.querySelector("[data-search]");
  let dialog, input, list, status, found = [], active = -1, turn = 0;

  // Data.

  const loading = new Map();

  function load(name) {
    if (!loading.has(name)) {
      loading.set(name, new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = new URL(`search/${name}.js`, ROOT);
        script.onload = resolve;
        script.onerror = () => { loading.delete(name); reject(new Error(`search/${name}.js cannot be loaded`)); };
        document.head.append(script);
      }));
    }
    return loading.get(name);
  }

  const fold = text => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const wordsOf = text => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  const prepared = new Map();

  function prepare(entry, kinds) {
    const [kind, id, title, results, names] = entry;
    const path = `${kinds[kind]}/${id}`;
    if (!prepared.has(path)) {
      prepared.set(path, { kind: kinds[kind], order: kind, path, title, results, names, folded: fold(title),
        words: wordsOf(title), others: wordsOf(names), whole: fold(`${title} ${names} ${id}`) });
    }
    return prepared.get(path);
  }

  // The entries that can match: all of a small collection, else those filed under the longest word of the query.
  async function candidates(tokens) {
    await load("index");
    const data = globalThis.sotakitSearch;
    if (data.entries) return { entries: data.entries.map(entry => prepare(entry, data.kinds)), cut: false };
    const token = tokens.reduce((one, other) => (other.length > one.length ? other : one), "");
    const shards = data.shards.filter(([prefix]) => prefix.startsWith(token) || `${token} `.startsWith(prefix));
    const files = shards.flatMap(([, name, count]) => Array.from({ length: count }, (_, at) => `${name}-${at}`));
    const wanted = new Set(files.slice(0, MAX_FILES));
    await Promise.all([...wanted].map(load));
    const parts = (globalThis.sotakitSearchParts ?? []).filter(([name]) => wanted.has(name));
    const entries = new Set(parts.flatMap(([, rows]) => rows.map(entry => prepare(entry, data.kinds))));
    return { entries: [...entries], cut: files.length > MAX_FILES };
  }

  // How well an entry matches, 0 if not at all: every token must be found, best at the start of a word of the title.
  function score(entry, tokens, query) {
    let sum = 0;
    for (const token of tokens) {
      const at = entry.words.findIndex(word => word.startsWith(token));
      if (at >= 0) sum += (entry.words[at] === token ? 12 : 8) + (at === 0 ? 2 : 0);
      else if (entry.others.some(word => word.startsWith(token))) sum += 5;
      else if (entry.whole.includes(token)) sum += 2;
      else return 0;
    }
    sum /= tokens.length;
    if (entry.folded === query) sum += 20;
    else if (entry.folded.startsWith(query)) sum += 6;
    else if (entry.folded.includes(query)) sum += 3;
    return sum;
  }

  function rank(entries, tokens, query) {
    return entries
      .map(entry => ({ entry, points: score(entry, tokens, query) }))
      .filter(item => item.points > 0)
      .sort((one, other) => other.points - one.points || one.entry.order - other.entry.order
        || other.entry.results - one.entry.results || one.entry.title.length - other.entry.title.length
        || (one.entry.path < other.entry.path ? -1 : 1))
      .map(item => item.entry);
  }

  // The dialog.

  function make(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }

  function build() {
    input = make("input", { type: "text", enterkeyhint: "go", role: "combobox", "aria-expanded": "false", "aria-controls": "search-list",
      "aria-autocomplete": "list", "aria-label": "Search", autocomplete: "off", spellcheck: "false", dir: "auto",
      placeholder: "Benchmark, method, paper, dataset, task, metric" });
    list = make("ul", { id: "search-list", role: "listbox", "aria-label": "Results" });
    status = make("p", { role: "status" });
    dialog = make("dialog", { class: "palette", "aria-label": "Search" }, input, list, status);
    document.body.append(dialog);
    input.addEventListener("input", search);
    input.addEventListener("keydown", keys);
    list.addEventListener("mousemove", event => choose(indexOf(event)));
    list.addEventListener("mousedown", event => event.preventDefault());
    list.addEventListener("click", event => follow(indexOf(event), event.ctrlKey || event.metaKey));
    dialog.addEventListener("click", event => { if (event.target === dialog) dialog.close(); });
  }

  const indexOf = event => [...list.children].indexOf(event.target.closest("[role=option]"));

  function open() {
    if (!dialog) build();
    if (dialog.open) return;
    dialog.showModal(); // closing gives the focus back
    input.focus();
    input.select();
    search();
  }

  async function search() {
    const mine = ++turn;
    const query = fold(input.value.trim());
    const tokens = wordsOf(query);
    try {
      if (!tokens.length) {
        await load("index");
        if (mine === turn) show([], "Type a word. Arrow keys choose, Enter opens, Escape closes.");
        return;
      }
      const { entries, cut } = await candidates(tokens);
      if (mine !== turn) return;
      const all = rank(entries, tokens, query);
      const more = all.length > LIMIT ? `, the first ${LIMIT} shown` : "";
      const count = all.length === 1 ? "1 page" : `${all.length} pages`;
      show(all.slice(0, LIMIT), all.length ? `${count}${more}${cut ? "; type more letters for the rest" : ""}` : "Nothing found.");
    } catch (error) {
      if (mine === turn) show([], `${error.message}; the lists in the head of the page lead everywhere, too.`);
    }
  }

  function show(entries, message) {
    found = entries;
    list.replaceChildren(...entries.map(option));
    status.textContent = message;
    input.setAttribute("aria-expanded", String(entries.length > 0));
    choose(entries.length ? 0 : -1);
  }

  function option(entry, at) {
    const title = make("bdi", { class: "title" });
    title.textContent = entry.title;
    const count = entry.results ? `, ${entry.results} ${entry.results === 1 ? "result" : "results"}` : "";
    const note = make("span", { class: "note" }, `${NAMES[entry.kind] ?? entry.kind}${count}`);
    const names = make("bdi", { class: "names" });
    names.textContent = entry.names;
    return make("li", { role: "option", id: `search-${at}`, "aria-selected": "false" }, title, note, names);
  }

  function choose(at) {
    if (at === active && list.children[at]?.getAttribute("aria-selected") === "true") return;
    if (at < 0 && found.length) return;
    list.children[active]?.setAttribute("aria-selected", "false");
    active = at;
    const node = list.children[at];
    if (!node) return input.removeAttribute("aria-activedescendant");
    node.setAttribute("aria-selected", "true");
    node.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", node.id);
  }

  function follow(at, apart) {
    if (!found[at]) return;
    const address = new URL(`${found[at].path}/index.html`, ROOT);
    if (apart) window.open(address, "_blank", "noopener");
    else { dialog.close(); location.href = address; }
  }

  function keys(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const last = found.length - 1;
    if (event.isComposing) return;
    if (event.key in steps && found.length) {
      const next = active + steps[event.key];
      choose(Math.abs(steps[event.key]) > 1 ? Math.min(last, Math.max(0, next)) : (next + found.length) % found.length);
    } else if (event.key === "Enter") follow(active, event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  }

  document.addEventListener("keydown", event => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    const slash = event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey;
    const control = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!slash && !control) return;
    event.preventDefault();
    open();
  });
  button?.addEventListener("click", open);
  for (const node of document.querySelectorAll("[data-search], .search-hint")) node.hidden = false;
})();
