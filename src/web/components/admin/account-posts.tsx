import { useTranslation } from '../../i18n/context'
import { Day } from '../day'
import { WarnedContent } from '../warned-content'
import { visibilityTexts } from './report-words'

/** Post of an account as text, without its files: those of a reported post are on the page of the report. */
export interface ShownPost {
  readonly id: number
  readonly href: string
  readonly text: string
  readonly warning: string | null
  readonly visibility: string
  readonly isSensitive: boolean
  readonly isLocalOnly: boolean
  readonly files: number
  readonly at: Date
}

/** The newest posts of an account. */
export function AccountPosts({ posts }: { readonly posts: readonly ShownPost[] }) {
  const t = useTranslation()
  return (
    <section class="card" aria-labelledby="posts">
      <h2 id="posts">{t('Newest posts')}</h2>
      <p class="muted">{t('Public ones. Others are shown in the reports that name them.')}</p>
      {posts.length === 0 ? (
        <p class="muted">{t('No public posts lately.')}</p>
      ) : (
        <ul class="entries">
          {posts.map((post) => (
            <li>
              <Post post={post} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Post({ post }: { readonly post: ShownPost }) {
  const t = useTranslation()
  const { href, text, warning, visibility, isSensitive, isLocalOnly, files, at } = post
  return (
    <>
      <WarnedContent warning={warning}>
        <p class="quoted" dir="auto">
          {text}
        </p>
      </WarnedContent>
      <p class="muted">
        <a href={href} rel="nofollow noopener noreferrer">
          <Day at={at} withTime />
        </a>{' '}
        <span class="badge">{t(visibilityTexts[visibility] ?? visibility)}</span>
        {isLocalOnly && <span class="badge">{t('this server only')}</span>}
        {isSensitive && <span class="badge">{t('sensitive')}</span>}
        {files > 0 && (
          <span class="badge">{t('{count, plural, one {# file} other {# files}}', { count: files })}</span>
        )}
      </p>
    </>
  )
}
