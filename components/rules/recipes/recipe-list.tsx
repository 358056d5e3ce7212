'use client';

import { useState } from 'react';
import type { DatabaseShape, NoDatabase } from '@/components/rules/form/database-shape';
import { Button } from '@/components/ui/button';
import { NativeSelect } from '@/components/ui/native-select';
import { RECIPES, type Recipe, type RecipeTerms } from './recipes';

/** The recipes, each with its button or the reason why it does not fit. */
export function RecipeList({
  database,
  onUse,
}: {
  database: DatabaseShape | NoDatabase;
  onUse: (terms: RecipeTerms, said: string) => void;
}) {
  return (
    <ul aria-label="Recipes" className="divide-y rounded-lg border">
      {RECIPES.map((recipe) => (
        <RecipeRow key={recipe.key} recipe={recipe} database={database} onUse={onUse} />
      ))}
    </ul>
  );
}

function RecipeRow({
  recipe,
  database,
  onUse,
}: {
  recipe: Recipe;
  database: DatabaseShape | NoDatabase;
  onUse: (terms: RecipeTerms, said: string) => void;
}) {
  const [chosen, setChosen] = useState('');
  const { name, posts } = recipe;
  const asked = recipe.fill(database);
  const outcome = asked.kind === 'question' ? recipe.fill(database, chosen) : asked;
  const isMisfit = asked.kind === 'misfit';

  function use() {
    if (outcome.kind !== 'draft') return;
    onUse(outcome.terms, [`Filled in: ${name}.`, outcome.hint].filter(Boolean).join(' '));
  }

  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 px-3 py-2.5">
      <div className="min-w-0 flex-1 basis-48">
        <p className={isMisfit ? 'text-muted' : 'font-medium'}>{name}</p>
        <p className="mt-0.5 break-words text-pretty text-muted text-xs">
          {isMisfit ? `Does not fit: ${asked.reason}` : posts}
        </p>
        {asked.kind === 'question' ? (
          <NativeSelect
            className="mt-2"
            label={`${name}: ${asked.text}`}
            value={outcome.kind === 'draft' ? chosen : ''}
            onValueChange={setChosen}
            placeholder={asked.text}
            options={asked.among.map((property) => ({ value: property.id, label: property.name }))}
          />
        ) : null}
      </div>
      {isMisfit ? null : (
        <Button
          variant="outline"
          size="sm"
          aria-label={`Use ${name}`}
          disabled={outcome.kind !== 'draft'}
          onClick={use}
        >
          Use
        </Button>
      )}
    </li>
  );
}
