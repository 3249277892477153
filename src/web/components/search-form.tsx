import { useTranslation } from '../i18n/context'
import { paths } from '../paths'
import { Icon } from './icon'

export interface SearchFormProps {
  /** As typed before. */
  readonly text?: string
  /** The kind of results; empty for all. */
  readonly type?: string
  /** Content that it searches. */
  readonly in?: keyof typeof searches
}

const searches = {
  posts: { action: paths.search, label: 'client.search', placeholder: 'client.peoplePostsHashtags' },
  settings: {
    action: paths.settings,
    label: 'settings.searchSettings',
    placeholder: 'settings.searchSettings',
  },
} as const

/** The field of the search. */
export function SearchForm({ text = '', type = '', in: place = 'posts' }: SearchFormProps) {
  const t = useTranslation()
  const { action, label, placeholder } = searches[place]
  return (
    <search class="search">
      <form method="get" action={action}>
        <button type="submit" class="plain" aria-label={t(label)}>
          <Icon name="search" />
        </button>
        <input
          class="input"
          type="search"
          name="q"
          value={text}
          maxlength={500}
          aria-label={t(label)}
          placeholder={t(placeholder)}
        />
        {type !== '' && <input type="hidden" name="type" value={type} />}
      </form>
    </search>
  )
}
