import { streamKinds } from './channels'

export const base = '/api/v1/streaming'

/** OpenAPI paths of the streams: they answer no JSON, so no endpoint describes them. */
export function streamPaths(): Record<string, Record<string, unknown>> {
  const sources = [...streamKinds].flatMap(([stream, { scope, feed, of }]) => {
    if (stream.endsWith(':media')) return []
    const needed = of === null ? [] : [query(of, true)]
    const parameters = feed === 'live' ? [query('only_media', false)] : needed
    const responses = answer('text/event-stream')
    const get = { summary: `Hear ${stream}`, security: [{ token: [scope] }], parameters, responses }
    return [[`${base}/${stream.replaceAll(':', '/')}`, { get }] as const]
  })
  const socket = {
    summary: 'Hear any number of streams over a WebSocket',
    security: ['read:statuses', 'read:notifications'].map((scope) => ({ token: [scope] })),
    parameters: ['stream', 'tag', 'list'].map((name) => query(name, false)),
    responses: { 101: { description: 'Switching Protocols' } },
  }
  const health = { summary: 'Are there streams?', responses: answer('text/plain') }
  return { [base]: { get: socket }, [`${base}/health`]: { get: health }, ...Object.fromEntries(sources) }
}

function query(name: string, required: boolean) {
  return { name, in: 'query', required, schema: { type: 'string' } }
}

function answer(type: string) {
  return { 200: { description: 'OK', content: { [type]: { schema: { type: 'string' } } } } }
}
