import type { Attachment, StatusTag } from '../../db/values'
import { htmlToText } from '../../lib/html'
import { findLinks } from '../../lib/html-walk'
import type { AccountId, StatusId } from '../../lib/ids'
import { tokensOf } from '../../lib/text/words'
import { authorTrait, languageTrait, linkTrait, propertyTrait, tagTrait } from './traits'

/** The searchable parts of a status. */
export interface IndexableStatus {
  readonly id: StatusId
  readonly accountId: AccountId
  readonly content: string
  readonly spoilerText: string
  readonly attachments: readonly Pick<Attachment, 'type' | 'description'>[]
  readonly tags: readonly Pick<StatusTag, 'name'>[]
  readonly language: string | null
  readonly sensitive: boolean
  readonly isReply: boolean
  readonly isQuote: boolean
  /** Null without a poll. */
  readonly pollOptions: readonly string[] | null
}

/** A row of the index, except for the traits of its readers. */
export interface SearchDocument {
  readonly id: StatusId
  readonly text: string
  readonly traits: string
}

/** Bounds a status's share of the index and the size of a statement. */
const maxCharacters = 8_000
const maxLinks = 50

/** The text of a status as indexed: content, warning, poll options, media descriptions. Pure. */
export function documentOf(status: IndexableStatus): SearchDocument {
  const { id, content, spoilerText, attachments, pollOptions } = status
  const texts = [
    spoilerText,
    htmlToText(content),
    ...(pollOptions ?? []),
    ...attachments.map(({ description }) => description ?? ''),
  ]
  const tokens = texts.flatMap((text) => tokensOf(text.slice(0, maxCharacters)))
  return { id, text: withinLength(tokens).join(' '), traits: traitsOf(status).join(' ') }
}

function withinLength(tokens: readonly string[]): readonly string[] {
  let length = 0
  const end = tokens.findIndex((token) => {
    length += token.length + 1
    return length > maxCharacters
  })
  return end === -1 ? tokens : tokens.slice(0, end)
}

function traitsOf(status: IndexableStatus): readonly string[] {
  const links = findLinks(status.content)
  const linked = links.slice(0, maxLinks).flatMap((link) => linkTrait(link) ?? [])
  return [
    authorTrait(status.accountId),
    ...(status.language === null ? [] : [languageTrait(status.language)]),
    ...propertiesOf(status, links.length > 0).map(propertyTrait),
    ...status.tags.map(({ name }) => tagTrait(name)),
    ...new Set(linked),
  ]
}

function propertiesOf(status: IndexableStatus, hasLink: boolean): readonly string[] {
  const kinds = new Set(status.attachments.map(({ type }) => type))
  return [
    ...(kinds.size > 0 ? ['media'] : []),
    ...(kinds.has('image') ? ['image'] : []),
    ...(kinds.has('video') || kinds.has('gifv') ? ['video'] : []),
    ...(kinds.has('audio') ? ['audio'] : []),
    ...(status.pollOptions === null ? [] : ['poll']),
    ...(hasLink ? ['link'] : []),
    ...(status.isReply ? ['reply'] : []),
    ...(status.isQuote ? ['quote'] : []),
    ...(status.sensitive ? ['sensitive'] : []),
  ]
}
