// The least that holds a socket that may sleep: the yardstick of `npm run bench:streaming`.
import { DurableObject } from 'cloudflare:workers'

export class Bare extends DurableObject {
  fetch() {
    const { 0: outer, 1: inner } = new WebSocketPair()
    this.ctx.acceptWebSocket(inner)
    return new Response(null, { status: 101, webSocket: outer })
  }

  webSocketMessage(socket, text) {
    socket.send(JSON.stringify({ event: 'delete', payload: text }))
  }
}

export default {
  fetch(request, { BARE }) {
    const name = request.headers.get('Authorization')
    return name === null ? new Response('Here') : BARE.get(BARE.idFromName(name)).fetch(request)
  },
}
