'use client';

import type { DatabaseShape, NoDatabase } from '@/components/rules/form/database-shape';
import { ClosedSection } from '@/components/ui/closed-section';
import { lateSection } from '@/components/ui/late';
import { Skeleton } from '@/components/ui/skeleton';
import type { useRecipe } from './use-recipe';

const RecipeList = lateSection(
  () => import('./recipe-list').then((module) => module.RecipeList),
  () => <Loading />,
);

/** The recipes for a new rule. The section closes when one has filled the form, and then says which. */
export function RuleRecipes({
  database,
  startsOpen,
  recipe: { use, uses, said, leavesChannel },
}: {
  /** Null while it loads. */
  database: DatabaseShape | NoDatabase | null;
  startsOpen: boolean;
  recipe: Pick<ReturnType<typeof useRecipe>, 'use' | 'uses' | 'said' | 'leavesChannel'>;
}) {
  return (
    <>
      <ClosedSection
        key={uses}
        id="rule-recipes"
        title="Start from a recipe"
        summary={said ?? 'Fills in the form, for the chosen database or a page.'}
        startsOpen={startsOpen && uses === 0}
      >
        {database ? <RecipeList key={nameOf(database)} database={database} onUse={use} /> : <Loading />}
      </ClosedSection>
      <p role="status" className="sr-only">
        {said}
        {said && leavesChannel ? ' The channel is left to you.' : null}
      </p>
    </>
  );
}

const nameOf = (database: DatabaseShape | NoDatabase) => ('name' in database ? database.name : '');

function Loading() {
  return (
    <div role="status" aria-label="Loading recipes" className="space-y-2">
      <Skeleton className="h-12" />
      <Skeleton className="h-12" />
    </div>
  );
}
