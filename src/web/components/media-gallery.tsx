import { useLook, useTranslation } from '../i18n/context'
import { excerpt } from '../status-view'
import type { MediaView, StatusView } from '../status-view-model'

export interface MediaGalleryProps {
  readonly statuses: readonly StatusView[]
}

/** Pictures, videos and sounds of statuses as tiles, each a link to its status. */
export function MediaGallery({ statuses }: MediaGalleryProps) {
  return (
    <ul class="gallery">
      {statuses.flatMap((status) =>
        status.media.map((media) => (
          <li class="tile">
            <Tile status={status} media={shortened(media)} />
          </li>
        )),
      )}
    </ul>
  )
}

interface TileProps {
  readonly status: StatusView
  readonly media: MediaView
}

/** Text of a description that a tile has room for, so that many long ones stay a small page; the status has all of it. */
function shortened(media: MediaView): MediaView {
  return { ...media, description: excerpt(media.description) }
}

/** Behind a click where the status has a warning or is sensitive, with what its description says. */
function Tile({ status, media }: TileProps) {
  const t = useTranslation()
  const { media: choice } = useLook()
  const { warning, isSensitive } = status
  const isCovered = warning !== null || (isSensitive && choice !== 'show_all')
  if (!isCovered && choice !== 'hide_all') return <TileContent status={status} media={media} />
  return (
    <details class="tile-cover">
      <summary>
        {warning === null ? (
          t(isCovered ? 'media.sensitiveMedia' : 'settings.preferences.picturesAndVideos')
        ) : (
          <bdi>{warning}</bdi>
        )}
      </summary>
      <TileContent status={status} media={media} />
    </details>
  )
}

function TileContent({ status: { url, audience }, media }: TileProps) {
  const t = useTranslation()
  return (
    <>
      <a class="tile-link" href={url}>
        <TilePicture media={media} />
        {audience !== null && <span class="tag tile-audience">{t(audience)}</span>}
      </a>
      <MediaDescription media={media} />
    </>
  )
}

const kinds = {
  gifv: 'media.animation',
  video: 'media.video',
  audio: 'media.sound',
  unknown: 'field.file',
} as const

function TilePicture({ media: { kind, url, previewUrl, description } }: { media: MediaView }) {
  const t = useTranslation()
  if (kind === 'image')
    return (
      <img
        src={previewUrl ?? url}
        alt={description === '' ? t('common.pictureWithoutDescription') : description}
        width="300"
        height="300"
        loading="lazy"
      />
    )
  const isVideo = kind === 'video' || kind === 'gifv'
  return (
    <>
      {isVideo && <VideoFrame url={url} previewUrl={previewUrl} />}
      <span class="tile-kind">{t(kinds[kind])}</span>
      {description !== '' && (
        <span class={isVideo ? 'hidden' : 'tile-words'} dir="auto">
          {description}
        </span>
      )}
    </>
  )
}

/** Picture of a video; without one of its own, its first frame. */
function VideoFrame({ url, previewUrl }: Pick<MediaView, 'url' | 'previewUrl'>) {
  const waits = useLook().media === 'hide_all'
  if (previewUrl !== null) return <img src={previewUrl} alt="" width="300" height="300" loading="lazy" />
  if (waits) return <video src={url} preload="none" muted playsinline />
  return <video src={`${url}#t=0.001`} preload="metadata" muted playsinline />
}

export interface MediaProps {
  readonly media: readonly MediaView[]
  /** Behind a click, because the author or a moderator called it sensitive. */
  readonly isHidden: boolean
}

export function Media({ media, isHidden }: MediaProps) {
  const t = useTranslation()
  const list = (
    <ul class={media.length === 1 ? 'gallery-of one-of' : 'gallery-of'}>
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
    <details class="covered">
      <summary class="cover-words">{t('media.sensitiveMedia')}</summary>
      {list}
    </details>
  )
}

/** Text that describes a picture or video, for those who see it, too. */
function MediaDescription({ media: { kind, description } }: { media: MediaView }) {
  const t = useTranslation()
  if (description === '' || kind === 'audio' || kind === 'unknown') return null
  return (
    <details class="described">
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
          {description !== '' && <figcaption class="quiet small">{description}</figcaption>}
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
