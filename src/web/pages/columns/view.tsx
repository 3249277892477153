import { SelectField } from '../../components/field'
import { CsrfField } from '../../components/form'
import { Icon } from '../../components/icon'
import { pageSheets } from '../../components/layout'
import { Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import { type ColumnSources, type ColumnView, columnsOf, mostColumns, offeredViews } from './views'

export interface ColumnsPageProps {
  /** Names of the chosen views; null where none were chosen yet. */
  readonly chosen: readonly string[] | null
  readonly sources: ColumnSources
}

/** Views in frames side by side; windows without room for them get links to the same pages. */
export function ColumnsPage({ chosen, sources }: ColumnsPageProps) {
  const t = useTranslation()
  const title = t('client.columns.columns')
  const offered = offeredViews(t, sources)
  const columns = columnsOf(chosen, offered)
  return (
    <Shell title={title} place="you" isPrivate frame="columns" sheets={pageSheets}>
      <ViewHead title={title}>
        <Chooser columns={columns} offered={offered} />
      </ViewHead>
      <div class="without-columns">
        <p class="pad quiet">{t('client.columns.needWideWindow')}</p>
        <ul class="rows menu-rows">
          {columns.map(({ path, label }) => (
            <li>
              <a class="row-link" href={path}>
                <span class="names">{label}</span>
                <Icon name="chevron-right" />
              </a>
            </li>
          ))}
        </ul>
      </div>
      <div class="columns-row">
        {columns.map(({ path, label }) => (
          <iframe src={path} title={label} loading="lazy" />
        ))}
      </div>
    </Shell>
  )
}

interface ChooserProps {
  readonly columns: readonly ColumnView[]
  readonly offered: readonly ColumnView[]
}

/** Chooses the views, first to last. */
function Chooser({ columns, offered }: ChooserProps) {
  const t = useTranslation()
  const options = [
    { value: '', text: t('client.columns.none') },
    ...offered.map(({ key, label }) => ({ value: key, text: label })),
  ]
  return (
    <details class="menu">
      <summary class="plain" aria-label={t('client.columns.choose')}>
        <Icon name="sliders-horizontal" />
      </summary>
      <form class="sheet" method="post" action={paths.columns}>
        <CsrfField />
        <input type="hidden" name="return_to" value={paths.columns} />
        {Array.from({ length: mostColumns }, (_, index) => (
          <SelectField
            name={`column_${index + 1}`}
            label={t('client.columns.columnNumber', { number: index + 1 })}
            value={columns[index]?.key ?? ''}
            options={options}
          />
        ))}
        <button type="submit" class="button low">
          {t('common.save')}
        </button>
      </form>
    </details>
  )
}
