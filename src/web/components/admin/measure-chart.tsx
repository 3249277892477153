import type { AdminMeasure } from '../../../contract/entities/admin/metrics'
import { useTranslation } from '../../i18n/context'

const height = 60
const step = 10

export interface MeasureChartProps {
  readonly title: string
  readonly measure: AdminMeasure
}

/** A figure by day: its total, bars for the eye, and a table of the same numbers. */
export function MeasureChart({ title, measure }: MeasureChartProps) {
  const t = useTranslation()
  const number = (value: number) => t('{value, number}', { value })
  const values = measure.data.map(({ date, value }) => ({ date: date.slice(0, 10), value: Number(value) }))
  const most = Math.max(1, ...values.map(({ value }) => value))
  const width = values.length * step
  const previous = measure.previous_total === undefined ? null : Number(measure.previous_total)
  return (
    <figure class="card measure">
      <figcaption>
        <span class="muted">{title}</span>
        <strong class="measure-total">{number(Number(measure.total))}</strong>
        {previous !== null && (
          <span class="muted">{t('{count, number} in the 30 days before', { count: previous })}</span>
        )}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {values.map(({ date, value }, index) => {
          const bar = Math.max(1, Math.round((value / most) * height))
          return (
            <rect x={index * step} y={height - bar} width={step - 2} height={bar} rx="1">
              <title>{`${date}: ${number(value)}`}</title>
            </rect>
          )
        })}
      </svg>
      <details>
        <summary>
          {t('Numbers')} <span class="visually-hidden">{title}</span>
        </summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Day')}</th>
              <th scope="col">{title}</th>
            </tr>
          </thead>
          <tbody>
            {values.toReversed().map(({ date, value }) => (
              <tr>
                <th scope="row">{date}</th>
                <td>{number(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
