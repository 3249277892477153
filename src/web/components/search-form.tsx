import { useTranslation } from '../i18n/context'
import { paths } from '../paths'
import { Icon } from './icon'

export interface SearchFormProps {
  /** As typed before. */
  readonly text?: string
  /** The kind of results; empty for all. */
  readonly type?: string
}

/** The field of the search. */
export function SearchForm({ text = '', type = '' }: SearchFormProps) {
  const t = useTranslation()
  return (
    <search class="search">
      <form method="get" action={paths.search}>
        <button type="submit" class="plain" aria-label={t('client.search')}>
          <Icon name="search" />
        </button>
        <input
          class="input"
          type="search"
          name="q"
          value={text}
          maxlength={500}
          aria-label={t('client.search')}
          placeholder={t('client.peoplePostsHashtags')}
        />
        {type !== '' && <input type="hidden" name="type" value={type} />}
      </form>
    </search>
  )
}
