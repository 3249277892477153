import type { Status } from '../../contract/entities/status'
import type { StatusTranslation } from '../../domain/translations/translate'
import { emojisOf, renderEmojis } from '../emojis'
import { contentOf } from '../status-view'
import type { PostView } from './post-view'

/** A post in the language of its reader, with the language it was written in and the service. */
export interface TranslatedPost {
  readonly post: PostView
  /** Null if not specified. */
  readonly from: string | null
  readonly provider: string
}

/** The post of `status` with the texts of a translation; what the service left out stays as it was written. */
export function translatedPost(
  post: PostView,
  status: Pick<Status, 'quote' | 'emojis' | 'media_attachments'>,
  translation: StatusTranslation,
): TranslatedPost {
  const { content, spoilerText, poll, media, language, detected, provider } = translation
  const descriptions = new Map(media.map(({ id, description }) => [String(id), description]))
  return {
    from: detected,
    provider,
    post: {
      ...post,
      language,
      html: renderEmojis(contentOf({ content, quote: status.quote }), emojisOf(status.emojis)),
      warning: post.warning === null ? null : spoilerText || post.warning,
      media: post.media.map((one, index) => ({
        ...one,
        description: descriptions.get(status.media_attachments[index]?.id ?? '') ?? one.description,
      })),
      poll:
        post.poll === null
          ? null
          : {
              ...post.poll,
              options: post.poll.options.map((option, index) => ({
                ...option,
                title: poll?.options[index] ?? option.title,
              })),
            },
    },
  }
}

/** Whether a post may be sent to the translation service for a reader of this language. */
export function isTranslatable(
  { visibility, isLocalOnly, language, html, warning, poll }: PostView,
  readerLanguage: string,
): boolean {
  if (isLocalOnly || (visibility !== 'public' && visibility !== 'unlisted')) return false
  if (html === '' && warning === null && poll === null) return false
  return language?.split('-', 1)[0] !== readerLanguage
}
