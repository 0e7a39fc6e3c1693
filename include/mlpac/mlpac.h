// Everything the library offers.
#pragma once

#include "mlpac/annotation.h"
#include "mlpac/class_prior.h"
#include "mlpac/decision.h"
#include "mlpac/enhancement.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "mlpac/image.h"
#include "mlpac/image_table.h"
#include "mlpac/labels.h"
#include "mlpac/losses.h"
#include "mlpac/metrics.h"
#include "mlpac/options.h"
#include "mlpac/rewards.h"
#include "mlpac/schedule.h"
#include "mlpac/selection.h"
#include "mlpac/training.h"
