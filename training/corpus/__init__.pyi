from .mixing import MixedSource as MixedSource
from .mixing import SentenceFilter as SentenceFilter
from .mixing import mix_corpus as mix_corpus
from .readers import read_documents as read_documents
from .recipe import CorpusSource as CorpusSource
from .recipe import Recipe as Recipe
from .recipe import load_recipe as load_recipe
from .recipe import recipe_names as recipe_names
