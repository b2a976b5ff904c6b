// Shows an OpenAPI document as a page.

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

// plain is a schema without null: what may be null may be left out.
const plain = (schema) => {
  const oneOf = schema.oneOf?.filter((s) => s.type !== 'null');
  if (oneOf?.length === 1) return { ...oneOf[0], description: schema.description };
  return { ...schema, oneOf, enum: schema.enum?.filter((v) => v !== null) };
};

// typeName is a schema in a few words.
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

// fields is a table of an object's fields; those of an object inside open on a
// click. Seen ends recursion.
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
  parts.push(el('p', {}, `Problems: ${problems.join(', ')}`));
  return el('details', { id: op.operationId },
    el('summary', {}, el('span', { class: 'role' }, op['x-nsfl-role'] ?? ''), el('code', { class: 'method' }, method.toUpperCase()), el('code', {}, path), ' ', op.summary ?? ''),
    ...parts);
}

document.getElementById('about').textContent = api.info.description.replaceAll('`', '');
const main = document.getElementById('operations');
main.replaceChildren(el('p', {}, 'Fields with * are always there. Every answer may be a problem:'),
  el('details', {}, el('summary', {}, 'Problem'), fields({ $ref: '#/components/schemas/Problem' }, ['Problem'])));
const isAPI = (path) => path.startsWith('/v1/');
const paths = Object.entries(api.paths).sort(([a], [b]) => isAPI(b) - isAPI(a));
for (const [path, methods] of paths) {
  for (const [method, op] of Object.entries(methods)) main.append(operation(path, method, op));
}
if (location.hash) document.getElementById(location.hash.slice(1))?.setAttribute('open', '');
