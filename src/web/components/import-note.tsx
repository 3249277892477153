import type { Child } from 'hono/jsx'
import type { Imported, ImportSource } from '../../domain/statuses/archived/find-imports'
import { useTranslation } from '../i18n/context'

/** Line about a post that its author imported: its source, as far as that is proven. */
export function ImportedPost({ source }: Imported) {
  const t = useTranslation()
  return (
    <p class="quiet small">
      {source === null
        ? t('settings.importsExports.importedNotVerifiedNothing')
        : t.rich('settings.importsExports.importedFromName', linkTo(source))}
    </p>
  )
}

/** Lines about posts that an account imported: one for each source that is proven, one for all others. */
export function ImportedPosts({ imports }: { readonly imports: readonly Imported[] }) {
  const t = useTranslation()
  const sources = imports.flatMap(({ source }) => source ?? [])
  return (
    <>
      {sources.map((source) => (
        <p class="quiet small">{t.rich('settings.importsExports.somePostsImportedFrom', linkTo(source))}</p>
      ))}
      {sources.length < imports.length && (
        <p class="quiet small">{t('settings.importsExports.somePostsImportedNot')}</p>
      )}
    </>
  )
}

function linkTo({ url, name }: ImportSource) {
  return {
    name: <bdi>{name}</bdi>,
    link: (words: Child[]) => (
      <a href={url} rel="nofollow noopener">
        {words}
      </a>
    ),
  }
}
