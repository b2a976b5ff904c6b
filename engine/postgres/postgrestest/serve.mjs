// A PostgreSQL server with pgvector for the tests: PGlite, in memory, on a free
// port of the loopback interface. It prints the port, and ends when its standard
// input does, so that it cannot outlive the test.
//
//   node serve.mjs FOLDER    an absolute path, of what holds node_modules
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const require = createRequire(join(process.argv.at(-1), 'node_modules', 'x'))
const load = (name) => import(pathToFileURL(require.resolve(name)))

const { PGlite } = await load('@electric-sql/pglite')
const { vector } = await load('@electric-sql/pglite-pgvector')
const { PGLiteSocketServer, PGLiteSocketHandler } = await load('@electric-sql/pglite-socket')

const db = await PGlite.create({ extensions: { vector } })
const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: 4 })

// Where PGlite's server is not like PostgreSQL's, it is made so.
//
// It is given one message at a time and cannot wait for the next in the middle of
// a COPY, so those are held back until they are all there.
const enqueue = server.queryQueue.enqueue.bind(server.queryQueue)
const held = new Map()
server.queryQueue.enqueue = async (client, message, onData) => {
  const type = String.fromCharCode(message[0])
  if (type === 'X') {
    for (const h of server.handlers) if (h.handlerId === client) h.socket?.end()
    return 0
  }
  const starts = type === 'Q' && /^copy .* from stdin/i.test(Buffer.from(message.subarray(5)).toString())
  if (starts) held.set(client, [])
  if (!held.has(client)) return enqueue(client, message, onData)
  held.get(client).push(message)
  if (starts || type === 'd') return 0
  const all = Buffer.concat(held.get(client)) // up to its end, or whatever came instead
  held.delete(client)
  return enqueue(client, new Uint8Array(all), onData)
}
// It does not hang up when a client is done, above, or has asked it to cancel.
const cancel = PGLiteSocketHandler.prototype.handleCancelRequest
PGLiteSocketHandler.prototype.handleCancelRequest = function () {
  const is = cancel.call(this)
  if (is) this.socket?.end()
  return is
}

server.addEventListener('listening', (e) => console.log(e.detail.port))
await server.start()

process.stdin.resume()
process.stdin.on('end', () => process.exit(0))
