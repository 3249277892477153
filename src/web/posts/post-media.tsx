import { Icon } from '../components/icon'
import { useLook, useTranslation } from '../i18n/context'
import type { MediaView } from '../status-view-model'
import { photoPath } from './acts'
import type { PostView } from './post-view'

const mostShown = 4

export interface PostMediaGridProps {
  readonly post: PostView
  /** Behind a press, because the author or a moderator called it sensitive, or a filter blurs it. */
  readonly isHidden: boolean
  /** The post as it is now: its pictures have pages, those of earlier versions are files. */
  readonly isCurrent: boolean
}

/**
 * Pictures, videos and sounds of a post. Each frame has its size before its file arrives. Where the reader hides all,
 * nothing loads before the press: scripts take the frames out of a template, and without them links lead to each file,
 * as browsers without scripts load the pictures of a closed `<details>` at once.
 */
export function PostMediaGrid({ post, isHidden, isCurrent }: PostMediaGridProps) {
  const t = useTranslation()
  const pathOf = (one: MediaView) => (isCurrent ? photoPath(post.path, post.media.indexOf(one) + 1) : one.url)
  const waits = useLook().media === 'hide_all'
  const seen = post.media.filter(({ kind }) => kind !== 'audio' && kind !== 'unknown')
  const others = post.media.filter(({ kind }) => kind === 'audio' || kind === 'unknown')
  const shown = seen.slice(0, mostShown)
  const frames = shown.length > 0 && (
    <div class={`media n${shown.length}`}>
      {shown.map((one) => (
        <Frame
          media={one}
          number={post.media.indexOf(one) + 1}
          path={pathOf(one)}
          more={one === shown.at(-1) ? seen.length - shown.length : 0}
          isPlaying={!isHidden && !waits}
        />
      ))}
    </div>
  )
  const rest = others.map((one) => <OtherMedia media={one} />)
  if (!isHidden && !waits)
    return (
      <>
        {frames}
        {rest}
      </>
    )
  return (
    <details class="warned">
      <summary>
        <Icon name={isHidden ? 'eye-off' : 'image'} />
        <span class="what">
          {t(isHidden ? 'media.sensitiveMedia' : 'settings.preferences.picturesAndVideos')}
        </span>
        <span class="button low shut">{t('client.show')}</span>
        <span class="button low opened">{t('client.hide')}</span>
      </summary>
      {waits ? (
        <>
          <template data-later>{frames}</template>
          <noscript>
            {seen.map((one) => (
              <FileLink media={one} path={pathOf(one)} />
            ))}
          </noscript>
        </>
      ) : (
        frames
      )}
      {rest}
    </details>
  )
}

interface FrameProps {
  readonly media: MediaView
  readonly number: number
  /** Page of the picture, or its file. */
  readonly path: string
  /** Files that are not shown, counted on the last frame. */
  readonly more: number
  /** Animated pictures play by themselves where the reader wants it. */
  readonly isPlaying: boolean
}

function FileLink({ media: { kind, description }, path }: Pick<FrameProps, 'media' | 'path'>) {
  const t = useTranslation()
  const otherwise = t(
    kind === 'image' ? 'common.pictureWithoutDescription' : 'client.videoWithoutDescription',
  )
  return (
    <a class="card pad" href={path} dir="auto">
      {description === '' ? otherwise : description}
    </a>
  )
}

function Frame({ media, number, path, more, isPlaying }: FrameProps) {
  const t = useTranslation()
  const { media: choice, playsGifs } = useLook()
  const waits = choice === 'hide_all'
  const { kind, url, previewUrl, description, width, height } = media
  const plays = kind === 'gifv' && playsGifs && isPlaying
  if (kind !== 'image')
    return (
      <div class="frame">
        <video
          src={previewUrl === null && !waits ? `${url}#t=0.001` : url}
          poster={waits ? undefined : (previewUrl ?? undefined)}
          aria-label={description === '' ? t('client.videoWithoutDescription') : description}
          controls
          loop={kind === 'gifv'}
          autoplay={plays}
          muted={plays}
          playsinline={plays}
          preload={plays ? undefined : previewUrl === null && !waits ? 'metadata' : 'none'}
          width={width ?? undefined}
          height={height ?? undefined}
        />
        {description !== '' && <Alt url={path} number={number} />}
      </div>
    )
  return (
    <div class="frame">
      <a class="frame" href={path}>
        <img
          src={previewUrl ?? url}
          alt={description === '' ? t('common.pictureWithoutDescription') : description}
          width={width ?? undefined}
          height={height ?? undefined}
          loading="lazy"
        />
        {more > 0 && <span class="alt time-badge">+{more}</span>}
      </a>
      {description !== '' && <Alt url={path} number={number} />}
    </div>
  )
}

function Alt({ url, number }: { readonly url: string; readonly number: number }) {
  const t = useTranslation()
  return (
    <a class="alt" href={url}>
      {t('media.alt')}
      <span class="hidden"> {number}</span>
    </a>
  )
}

function OtherMedia({ media: { kind, url, description } }: { readonly media: MediaView }) {
  const t = useTranslation()
  if (kind === 'audio')
    return (
      <figure>
        {/* biome-ignore lint/a11y/useMediaCaption: the author describes the sound in words, shown beneath */}
        <audio src={url} controls preload="none" />
        {description !== '' && <figcaption class="quiet small">{description}</figcaption>}
      </figure>
    )
  return (
    <a class="card pad" href={url} rel="nofollow noopener noreferrer">
      {description === '' ? t('media.fileAnotherServer') : description}
    </a>
  )
}
