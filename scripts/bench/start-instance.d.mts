export function startInstance(order: {
  readonly place: string
  readonly port?: number
  readonly stderr?: 'inherit' | 'ignore'
}): Promise<number>
