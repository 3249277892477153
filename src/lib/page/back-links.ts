import { Parser } from 'htmlparser2'

/** Elements whose link may say that its target is the same person. */
const linking: ReadonlySet<string> = new Set(['a', 'area', 'link'])

/** Parses a page from a stream, up to the first link with rel="me" to one of some addresses. */
export class BackLinkReader {
  readonly #wanted: ReadonlySet<string>
  readonly #base: string
  readonly #decoder = new TextDecoder()
  readonly #parser: Parser
  isFound = false

  /** `addresses` are absolute; `base` is the address of the page. */
  constructor(addresses: readonly string[], base: string) {
    this.#wanted = new Set(addresses.map((address) => address.toLowerCase()))
    this.#base = base
    this.#parser = new Parser({
      onopentag: (name, { rel = '', href = '' }) => {
        if (!linking.has(name) || !/(?:^|\s)me(?:\s|$)/i.test(rel)) return
        const address = URL.parse(href.trim(), this.#base)
        if (address !== null && this.#wanted.has(address.href.toLowerCase())) this.isFound = true
      },
    })
  }

  /** Reads a piece; true once nothing more is needed. */
  write(piece: Uint8Array): boolean {
    this.#parser.write(this.#decoder.decode(piece, { stream: true }))
    return this.isFound
  }
}
