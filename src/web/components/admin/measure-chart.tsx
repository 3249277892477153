import type { AdminMeasure } from '../../../contract/entities/admin/metrics'
import { useTranslation } from '../../i18n/context'
import { useCountedDay } from '../day'
import { IslandScript } from '../island-script'

const height = 60
const step = 10

export interface MeasureChartsProps {
  readonly charts: readonly MeasureChartProps[]
}

interface MeasureChartProps {
  readonly title: string
  readonly measure: AdminMeasure
}

/** Figures by day. The script charts.ts of the page names the day that is pointed at, or reached by keys. */
export function MeasureCharts({ charts }: MeasureChartsProps) {
  return (
    <>
      <div class="measures">
        {charts.map((chart) => (
          <MeasureChart {...chart} />
        ))}
      </div>
      <IslandScript name="charts.js" />
    </>
  )
}

/** A figure by day: its total, bars for the eye, and a table of the same numbers. */
function MeasureChart({ title, measure }: MeasureChartProps) {
  const t = useTranslation()
  const nameOf = useCountedDay()
  const number = (value: number) => t('admin.value', { value })
  const days = measure.data.map(({ date, value }) => {
    const key = date.slice(0, 10)
    return { key, name: nameOf(new Date(`${key}T00:00:00Z`)), value: Number(value) }
  })
  const most = Math.max(1, ...days.map(({ value }) => value))
  const width = days.length * step
  const previous = measure.previous_total === undefined ? null : Number(measure.previous_total)
  return (
    <figure class="measure">
      <figcaption>
        <span class="quiet small">{title}</span>
        <strong class="measure-total">{number(Number(measure.total))}</strong>
        {previous !== null && (
          <span class="quiet small">{t('admin.measureChart.count30DaysBefore', { count: previous })}</span>
        )}
      </figcaption>
      <div class="chart" data-chart={title}>
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          {days.map(({ name, value }, index) => {
            const bar = Math.max(1, Math.round((value / most) * height))
            return (
              <rect
                class={index === days.length - 1 ? 'now' : undefined}
                x={index * step}
                y={height - bar}
                width={step - 2}
                height={bar}
                rx="1"
              >
                <title>{t('admin.measureChart.dayValue', { day: name, value })}</title>
              </rect>
            )
          })}
        </svg>
      </div>
      <p class="axis" aria-hidden="true">
        <span>{days[0]?.name}</span>
        <span>{days.at(-1)?.name}</span>
      </p>
      <details>
        <summary>
          {t('admin.measureChart.numbers')} <span class="hidden">{title}</span>
        </summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('admin.measureChart.day')}</th>
              <th scope="col">{title}</th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ key, name, value }) => (
              <tr>
                <th scope="row">
                  <time datetime={key}>{name}</time>
                </th>
                <td>{number(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
