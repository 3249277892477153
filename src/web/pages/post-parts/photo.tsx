import { constant } from '../../../db/query'
import { NotFound } from '../../../errors'
import type { AppContext } from '../../../ports/app-env'
import { ClientRoot } from '../../components/client-root'
import { contentTarget, Head, WholePage } from '../../components/head'
import { Icon } from '../../components/icon'
import { useTranslation } from '../../i18n/context'
import { photoPath } from '../../posts/acts'
import { PostButtons } from '../../posts/post-buttons'
import { type PostView, postView } from '../../posts/post-view'
import type { MediaView } from '../../status-view-model'
import { showPartOfPost } from './show-part'

/** Shows one picture or video of a post. Sensitive ones only to members who come from a page of this server. */
export function showPhoto(c: AppContext): Promise<Response> {
  const { config } = c.get('ctx')
  const number = Number(c.req.param('number'))
  const isFromHere = c.req.header('sec-fetch-site') === 'same-origin'
  return showPartOfPost(c, {
    read: () => constant(null),
    show: ({ status, readerId }) => {
      const post = postView(config, status, readerId)
      const isCovered = post.isSensitive || post.warning !== null || post.filter !== null
      const media = post.media[number - 1]
      if (media === undefined || !isSeen(media)) throw new NotFound()
      // The page of the post covers it, and leads on to it once the reader has uncovered it.
      if (isCovered && (readerId === null || !isFromHere)) return c.redirect(post.path)
      return <PhotoPage post={post} media={media} />
    },
  })
}

export interface PhotoPageProps {
  readonly post: PostView
  readonly media: MediaView
}

/** Whether a file has a page: sounds and files that are missing have none. */
function isSeen({ kind }: MediaView): boolean {
  return kind !== 'audio' && kind !== 'unknown'
}

export function PhotoPage({ post, media }: PhotoPageProps) {
  const t = useTranslation()
  const seen = post.media.filter(isSeen)
  const count = seen.length
  const at = seen.indexOf(media)
  const place = at + 1
  const title = t('client.pictureNumberOfCountByName', { number: place, count, name: post.author.name })
  return (
    <WholePage>
      <Head title={title} isPrivate />
      <body>
        <main class="viewer" {...contentTarget}>
          <article aria-label={title}>
            <div class="top">
              <a class="plain" href={post.path} aria-label={t('client.close')} data-close>
                <Icon name="x" />
              </a>
              <h1 class="hidden">{title}</h1>
              <p>{t('client.numberOfCount', { number: place, count })}</p>
              <a class="plain" href={media.url} aria-label={t('client.openInFullSize')}>
                <Icon name="external-link" />
              </a>
            </div>
            <div class="stage">
              <Step post={post} to={seen[at - 1]} rel="prev" label={t('client.previousPicture')} />
              <Shown media={media} />
              <Step post={post} to={seen[at + 1]} rel="next" label={t('client.nextPicture')} />
            </div>
            {media.description !== '' && (
              <p class="caption" dir="auto">
                {media.description}
              </p>
            )}
            <PostButtons post={post} />
          </article>
        </main>
        <ClientRoot />
      </body>
    </WholePage>
  )
}

function Shown({
  media: { kind, url, previewUrl, description, width, height },
}: Pick<PhotoPageProps, 'media'>) {
  const t = useTranslation()
  const size = { width: width ?? undefined, height: height ?? undefined }
  if (kind === 'image')
    return (
      <img
        src={url}
        alt={description === '' ? t('common.pictureWithoutDescription') : description}
        {...size}
      />
    )
  return (
    <video
      src={url}
      poster={previewUrl ?? undefined}
      aria-label={description === '' ? t('client.videoWithoutDescription') : description}
      controls
      loop={kind === 'gifv'}
      preload="metadata"
      {...size}
    />
  )
}

interface StepProps {
  readonly post: PostView
  /** Undefined where there is none. */
  readonly to: MediaView | undefined
  readonly rel: 'prev' | 'next'
  readonly label: string
}

/** A link to the picture before or after; an empty place where there is none. */
function Step({ post, to, rel, label }: StepProps) {
  if (to === undefined) return <span />
  return (
    <a class="plain" href={photoPath(post.path, post.media.indexOf(to) + 1)} rel={rel} aria-label={label}>
      <Icon name={rel === 'prev' ? 'arrow-left' : 'chevron-right'} />
    </a>
  )
}
