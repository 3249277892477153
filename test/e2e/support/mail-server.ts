import { createServer, type Server, type Socket } from 'node:net'
import { freePort } from './instance'

/** A mail server that accepts whatever it gets, but for one recipient. Speaks what RFC 5321 asks for at least. */
export class MailServer {
  /** Settles when the recipient was refused. */
  readonly refused: Promise<void>
  readonly #mails: string[] = []
  readonly #kept: string[] = []
  readonly #waiting: ((mail: string) => void)[] = []
  readonly #server: Server

  constructor(unknown: string) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.refused = promise
    this.#server = createServer((socket) =>
      converse(socket, {
        isKnown: (recipient) => {
          const isKnown = !recipient.includes(`<${unknown}>`)
          if (!isKnown) resolve()
          return isKnown
        },
        keep: (mail) => this.#keep(mail),
      }),
    )
  }

  async listen(): Promise<number> {
    const port = await freePort()
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve))
    return port
  }

  next(): Promise<string> {
    const mail = this.#mails.shift()
    return mail === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(mail)
  }

  /** Mails that came for a recipient. */
  at(recipient: string): readonly string[] {
    return this.#kept.filter((mail) => new RegExp(`^To:.*\\b${RegExp.escape(recipient)}`, 'im').test(mail))
  }

  close(): void {
    this.#server.close()
  }

  #keep(mail: string): void {
    this.#kept.push(mail)
    const waiting = this.#waiting.shift()
    if (waiting === undefined) this.#mails.push(mail)
    else waiting(mail)
  }
}

interface Post {
  isKnown(recipient: string): boolean
  keep(mail: string): void
}

function converse(socket: Socket, { isKnown, keep }: Post): void {
  const say = (line: string) => socket.write(`${line}\r\n`)
  let [rest, mail, isData] = ['', '', false]
  say('220 mail.example ESMTP')
  const read = (line: string) => {
    if (isData && line === '.') {
      isData = false
      keep(mail)
      mail = ''
      say('250 accepted')
      return
    }
    if (isData) {
      mail += `${line}\n`
      return
    }
    const command = line.slice(0, 4).toUpperCase()
    if (command === 'DATA') isData = true
    if (command === 'QUIT') socket.end('221 bye\r\n')
    else if (command === 'RCPT' && !isKnown(line)) say('550 no such mailbox')
    else say(command === 'DATA' ? '354 go on' : '250 ok')
  }
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    const lines = (rest + chunk).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) read(line)
  })
}
