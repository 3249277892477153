import type { Translation } from '../../contract/entities/translation'

interface Translated {
  readonly content: string
  readonly spoilerText: string
  readonly poll: { readonly id: number; readonly options: readonly string[] } | null
  readonly media: readonly { readonly id: number; readonly description: string }[]
  readonly language: string
  readonly detected: string | null
  readonly provider: string
}

export function presentTranslation(translation: Translated): Translation {
  const { content, spoilerText, poll, media, language, detected, provider } = translation
  return {
    content,
    spoiler_text: spoilerText,
    language,
    provider,
    poll: poll && { id: String(poll.id), options: poll.options.map((title) => ({ title })) },
    media_attachments: media.map(({ id, description }) => ({ id: String(id), description })),
    detected_source_language: detected,
  }
}
