// Shows an OpenAPI document as a page, and sends requests from it.

const el = (tag, attributes, ...children) => {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) e.setAttribute(name, value);
  e.append(...children.filter((c) => c !== undefined && c !== ''));
  return e;
};

const response = await fetch('/openapi.json');
const api = await response.json();

const resolve = (schema) => (schema?.$ref ? api.components.schemas[schema.$ref.split('/').pop()] : schema);
const named = (schema) => schema?.$ref?.split('/').pop();

// plain returns a schema without null: fields that may be null may be left out.
const plain = (schema) => {
  const oneOf = schema.oneOf?.filter((s) => s.type !== 'null');
  if (oneOf?.length === 1) return { ...oneOf[0], description: schema.description };
  return { ...schema, oneOf, enum: schema.enum?.filter((v) => v !== null) };
};

// typeName names a schema in a few words.
function typeName(schema) {
  if (!schema) return '';
  if (schema.$ref) return named(schema);
  if (schema.oneOf) return schema.oneOf.map(typeName).join(' or ');
  if (schema.enum) return schema.enum.map((v) => JSON.stringify(v)).join(', ');
  const types = [schema.type ?? 'any'].flat().filter((t) => t !== 'null');
  if (types.includes('array')) return `list of ${typeName(schema.items)}`;
  if (types.includes('object') && schema.additionalProperties?.constructor === Object) return `object of ${typeName(schema.additionalProperties)}`;
  return types.join(' or ');
}

// fields makes a table of an object's fields; nested objects open on a click. Seen ends
// recursion.
function fields(schema, seen = []) {
  const object = resolve(schema);
  if (object?.oneOf) return el('div', {}, ...object.oneOf.map((s) => el('div', {}, el('p', {}, typeName(s)), fields(s, seen))));
  if (!object?.properties) return el('p', {}, typeName(schema), object?.items ? fields(object.items, seen) : '');
  const required = new Set(object.required);
  const rows = Object.entries(object.properties).map(([name, given]) => {
    const s = plain(given);
    const inner = [s, s.items, s.additionalProperties].find((t) => t?.$ref);
    const about = el('td', {}, s.description ?? '');
    if (inner && !seen.includes(named(inner))) {
      const details = el('details', {}, el('summary', {}, named(inner)));
      details.addEventListener('toggle', () => details.append(fields(inner, [...seen, named(inner)])), { once: true });
      about.append(details);
    }
    return el('tr', {}, el('td', {}, el('code', {}, name), required.has(name) ? ' *' : ''), el('td', {}, typeName(s)), about);
  });
  return el('table', {}, ...rows);
}

function content(title, body) {
  return Object.entries(body ?? {}).flatMap(([type, media]) => [
    el('h3', {}, title, ' ', el('code', {}, type), ' ', named(media.schema) ?? ''),
    media.schema ? fields(media.schema, [named(media.schema)]) : '',
  ]);
}

// sample makes a value of a schema, to begin a request with.
function sample(schema) {
  const s = plain(resolve(schema) ?? {});
  if (s.examples) return s.examples[0];
  if (s.default !== undefined) return s.default;
  if (s.enum) return s.enum[0];
  if (s.oneOf) return sample(s.oneOf[0]);
  const type = [s.type].flat().find((t) => t !== 'null');
  if (type === 'array') return [sample(s.items)];
  if (type !== 'object') return { string: '', boolean: false }[type] ?? 0;
  const wanted = Object.entries(s.properties ?? {}).filter(([name, p]) => s.required?.includes(name) || plain(p).examples);
  return Object.fromEntries(wanted.map(([name, p]) => [name, sample(p)]));
}

const keyName = 'nsfl-key'; // as the search page has it
const headers = () => (sessionStorage.getItem(keyName) ? { Authorization: `Bearer ${sessionStorage.getItem(keyName)}` } : {});
const shell = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

let first; // the name of a collection, asked for once
const collection = () => (first ??= fetch('/v1/collections', { headers: headers() })
  .then((r) => r.json()).then((a) => a.collections?.[0]?.name ?? '', () => ''));

// trial is a form that sends a request.
function trial(path, method, op) {
  const [[type, media] = []] = Object.entries(op.requestBody?.content ?? {});
  const inputs = (op.parameters ?? []).map((p) => {
    const input = el('input', { name: p.name, autocomplete: 'off', ...(p.in === 'path' && { required: '' }) });
    if (p.name === 'name' && p.in === 'path') collection().then((name) => (input.value ||= name));
    return { in: p.in, input };
  });
  const files = type === 'multipart/form-data';
  const body = !type ? undefined : files ? el('input', { type: 'file', multiple: '' }) : el('textarea', { rows: 6, spellcheck: 'false' });
  if (body && !files) body.value = JSON.stringify(sample(media.schema) || { text: 'A dog on a leash' }, null, type.includes('ndjson') ? 0 : 2);
  const answer = el('output', {});
  const form = el('form', {}, ...inputs.map(({ input }) => el('label', {}, input.name, input)), body ? el('label', {}, files ? 'Files' : 'Body', body) : '', el('button', {}, 'Send'), answer);
  form.addEventListener('submit', async (e) => {
    e.preventDefault();
    const url = new URL(location.origin + path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(form.elements[name].value)));
    for (const p of inputs) if (p.in === 'query' && p.input.value) url.searchParams.set(p.input.name, p.input.value);
    const init = { method: method.toUpperCase(), headers: headers() };
    let data = '';
    if (files) {
      init.body = new FormData();
      for (const f of body.files) (init.body.append('file', f), (data += ` -F file=@${shell(f.name)}`));
    } else if (body) {
      init.headers['Content-Type'] = type;
      init.body = body.value;
      data = ` -H ${shell(`Content-Type: ${type}`)} --data-binary ${shell(body.value)}`;
    }
    const curl = `curl -X ${init.method} ${shell(url.href)}${init.headers.Authorization ? ' -H "Authorization: Bearer $NSFL_KEY"' : ''}${data}`;
    const begin = performance.now();
    try {
      const r = await fetch(url, init);
      const text = await r.text();
      const took = Math.round(performance.now() - begin);
      answer.replaceChildren(el('h3', {}, `${r.status} ${r.statusText}`, ` in ${took} ms`), el('pre', { tabindex: 0 }, pretty(text) || '(empty)'));
    } catch (problem) {
      answer.replaceChildren(el('h3', {}, 'No answer'), el('pre', { tabindex: 0 }, String(problem)));
    }
    answer.append(el('h3', {}, 'The same in a shell'), el('pre', { tabindex: 0 }, curl));
  });
  return form;
}

const most = 100_000; // characters of an answer

function pretty(text) {
  const shown = (t) => (t.length > most ? `${t.slice(0, most)}\n…` : t);
  try {
    return shown(JSON.stringify(JSON.parse(text), null, 2));
  } catch {
    return shown(text);
  }
}

function operation(path, method, op) {
  const parts = [];
  if (op.parameters?.length) {
    parts.push(el('h3', {}, 'Parameters'), el('table', {}, ...op.parameters.map((p) =>
      el('tr', {}, el('td', {}, el('code', {}, p.name), p.required ? ' *' : ''), el('td', {}, `${p.in}, ${typeName(p.schema)}`), el('td', {}, p.description ?? '')))));
  }
  parts.push(...content('Request', op.requestBody?.content));
  const problems = [];
  for (const [status, r] of Object.entries(op.responses)) {
    if (r.content?.['application/problem+json']) problems.push(status);
    else parts.push(...content(`Answer ${status}`, r.content), r.content ? '' : el('h3', {}, `Answer ${status}, empty`));
  }
  if (problems.length) parts.push(el('p', {}, `Problems: ${problems.join(', ')}`));
  const attempt = el('details', { class: 'try' }, el('summary', {}, 'Try it'));
  attempt.addEventListener('toggle', () => attempt.append(trial(path, method, op)), { once: true });
  return el('details', { id: op.operationId },
    el('summary', {}, el('span', { class: 'role' }, op['x-nsfl-role'] ?? ''), el('code', { class: 'method' }, method.toUpperCase()), el('code', {}, path), ' ', op.summary ?? ''),
    attempt, ...parts);
}

document.getElementById('about').textContent = api.info.description.replaceAll('`', '');
const main = document.getElementById('operations');
main.replaceChildren(el('p', {}, 'Open an operation and choose Try it to send a request to this server. Fields with * are always present. Every answer may be a problem:'),
  el('details', {}, el('summary', {}, 'Problem'), fields({ $ref: '#/components/schemas/Problem' }, ['Problem'])));
if (api.components.securitySchemes) {
  const key = el('input', { type: 'password', autocomplete: 'off', placeholder: 'nsfl_…' });
  key.value = sessionStorage.getItem(keyName) ?? '';
  key.addEventListener('input', () => ((first = undefined), sessionStorage.setItem(keyName, key.value.trim())));
  main.append(el('label', {}, 'API key, kept in this tab until you close it', key));
}
const operations = Object.entries(api.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, op]) => ({ path, method, op })));
for (const tag of api.tags) {
  main.append(el('h2', {}, tag.name), el('p', {}, tag.description),
    ...operations.filter(({ op }) => op.tags.includes(tag.name)).map(({ path, method, op }) => operation(path, method, op)));
}
if (location.hash) {
  const chosen = document.getElementById(location.hash.slice(1));
  chosen?.setAttribute('open', '');
  chosen?.scrollIntoView();
}
