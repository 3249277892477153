import { wireText } from '../wire/corpus'

const mo = 'https://gotosocial.test/users/mo'
const ada = 'https://fieldfare.test/users/ada'

interface Parties {
  /** Sender that replaces the actor of the recorded document. */
  readonly from: { readonly uri: string }
  /** Local account that the document is about. */
  readonly to: { readonly username: string }
  /** The author in the document; GoToSocial's when absent. */
  readonly actor?: string
  /** Other addresses of the document, and what stands in their place. */
  readonly renamed?: Readonly<Record<string, string>>
}

/** A fresh copy of a document of `test/wire`, sent by somebody of this test to somebody of ours. */
export function wireFrom(
  name: string,
  { from, to, actor = mo, renamed = {} }: Parties,
): Record<string, unknown> {
  const names = { ...renamed, [actor]: from.uri, [ada]: `https://fieldfare.test/users/${to.username}` }
  // The longest first: some addresses begin with others.
  const found = Object.keys(names).sort((one, other) => other.length - one.length)
  const pattern = new RegExp(found.map((text) => RegExp.escape(text)).join('|'), 'g')
  return JSON.parse(wireText(name).replace(pattern, (text) => names[text] ?? text))
}
