import { Badge } from './badge';

export function DatabaseBadge({ type }: { type: 'task' | 'page' }) {
  return type === 'task' ? <Badge variant="signal">TASK DB</Badge> : <Badge>PAGE DB</Badge>;
}
