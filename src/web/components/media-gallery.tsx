import { useTranslation } from '../i18n/context'
import { excerpt } from '../status-view'
import type { MediaView, StatusView } from '../status-view-model'
import { MediaDescription } from './media'

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
  const { warning, isSensitive } = status
  if (warning === null && !isSensitive) return <TileContent status={status} media={media} />
  return (
    <details class="tile-cover">
      <summary>{warning === null ? t('media.sensitiveMedia') : <bdi>{warning}</bdi>}</summary>
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
        {audience !== null && <span class="badge tile-audience">{t(audience)}</span>}
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
        <span class={isVideo ? 'visually-hidden' : 'tile-words'} dir="auto">
          {description}
        </span>
      )}
    </>
  )
}

/** Picture of a video; without one of its own, its first frame. */
function VideoFrame({ url, previewUrl }: Pick<MediaView, 'url' | 'previewUrl'>) {
  if (previewUrl !== null) return <img src={previewUrl} alt="" width="300" height="300" loading="lazy" />
  return <video src={`${url}#t=0.001`} preload="metadata" muted playsinline />
}
