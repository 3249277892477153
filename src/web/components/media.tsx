import { useTranslation } from '../i18n/context'
import type { MediaView } from '../status-view-model'

export interface MediaProps {
  readonly media: readonly MediaView[]
  /** Behind a click, because the author or a moderator called it sensitive. */
  readonly isHidden: boolean
}

export function Media({ media, isHidden }: MediaProps) {
  const t = useTranslation()
  const list = (
    <ul class={media.length === 1 ? 'media media-one' : 'media'}>
      {media.map((one) => (
        <li>
          <MediaItem media={one} />
          <MediaDescription media={one} />
        </li>
      ))}
    </ul>
  )
  if (!isHidden) return list
  return (
    <details class="warned">
      <summary class="warning">{t('media.sensitiveMedia')}</summary>
      {list}
    </details>
  )
}

/** Text that describes a picture or video, for those who see it, too. */
export function MediaDescription({ media: { kind, description } }: { media: MediaView }) {
  const t = useTranslation()
  if (description === '' || kind === 'audio' || kind === 'unknown') return null
  return (
    <details class="alt">
      <summary>
        <abbr title={t('media.alternativeText')}>{t('media.alt')}</abbr>
      </summary>
      <p dir="auto">{description}</p>
    </details>
  )
}

function MediaItem({ media }: { media: MediaView }) {
  const t = useTranslation()
  const { kind, url, previewUrl, description, width, height } = media
  const size = { width: width ?? undefined, height: height ?? undefined }
  switch (kind) {
    case 'image':
      return (
        <a href={url} aria-label={description === '' ? t('common.pictureWithoutDescription') : description}>
          <img src={previewUrl ?? url} alt={description} title={description} loading="lazy" {...size} />
        </a>
      )
    case 'gifv':
    case 'video':
      return (
        <video
          src={previewUrl === null ? `${url}#t=0.001` : url}
          poster={previewUrl ?? undefined}
          aria-label={description === '' ? undefined : description}
          controls
          loop={kind === 'gifv'}
          // Without a picture of its own, the video shows its first frame.
          preload={previewUrl === null ? 'metadata' : 'none'}
          {...size}
        />
      )
    case 'audio':
      return (
        <figure>
          {/* biome-ignore lint/a11y/useMediaCaption: people here describe sound in words, shown beneath */}
          <audio src={url} controls preload="none" />
          {description !== '' && <figcaption class="muted">{description}</figcaption>}
        </figure>
      )
    default:
      return (
        <a class="media-link" href={url} rel="nofollow noopener noreferrer">
          {description === '' ? t('media.fileAnotherServer') : description}
        </a>
      )
  }
}
