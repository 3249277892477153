import type { ArchivedProfile } from '../../lib/archives/archived'
import { htmlToText } from '../../lib/html'
import { profileOf } from './actor'
import { idOf, isPlainDocument } from './json'

/** Reads `actor.json` of an archive: texts of its profile as an editor shows them; null for what is no actor. */
export function readArchivedProfile(document: unknown): ArchivedProfile | null {
  if (!isPlainDocument(document)) return null
  const uri = idOf(document['id'])
  if (uri === null) return null
  const { displayName, noteHtml, fields } = profileOf(document, uri)
  return {
    actorUri: uri,
    displayName,
    note: textOf(noteHtml),
    fields: fields.map(({ name, html }) => ({ name, value: textOf(html) })),
  }
}

/** Link of a mention whose text leaves out the host: here it would name a local account. */
const shortMention =
  /<a [^>]*href="https?:\/\/([^/"]+)\/[^"]*"[^>]*>\s*@(?:<span[^>]*>)?([\w.-]+)(?:<\/span>)?\s*<\/a>/g

function textOf(html: string): string {
  return htmlToText(html.replace(shortMention, '@$2@$1'))
}
